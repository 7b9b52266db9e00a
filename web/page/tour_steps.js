const FIRST_SCENE = "deck";
const TOUR = [{ title: "A texture does not fit", text: "Some [split] text.", try: "press it.", scene: "deck", knobs: {}, moves: [["find", "evict", 1]] }];
