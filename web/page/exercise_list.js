const EXERCISES = [{kind: "entry", title: "Where", text: "bla", scene: "deck", knobs: {}, moves: [["seek","frame",1]], ask: "Click.", place: "patches", judge: async v => [true, "x"]}];
