#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""One portion as a picture, for docs/memory.md: what a trace.json of `tessera run --copy-only` says of its evictions,
of what is paged in, and of the time that firmware and both nodes take for it, as SVG on the standard output; with
`text` after it the same as lines.
  portion.py TRACE.json [text]
Shown is the shortest list of steps, of the portions in the middle of the run, that has four evictions, four pages in
and, if any has, something in place.
"""
import json
import sys

WIDTH, LEFT, RIGHT = 1280, 120, 14
FRAME_BUFFER_PAGES = 38  # 320 by 240 of 16 bits; it is always in place
SEGMENTS = {1: (11, 64), 2: (12, 512)}  # number: the trace's process, pages
COLOURS = {'in place': '#a9c7ea', 'evicted': '#f0b9b3', 'paged in': '#cfe8c6', 'other': '#d4d8de'}
# Of other residents, by how many uses later they are needed next.
SHADES = ((50, '#8b94a3'), (100, '#abb2bd'), (200, '#c6cbd3'), (400, '#dde0e5'), (None, '#f2f3f5'))
LANE_COLOURS = {'plan': '#a9c7ea', 'evict': '#f0b9b3', 'page': '#cfe8c6', 'grant,': '#bfe3e6', 'retire': '#f7e7a0',
                'COPY_LIST': '#cfe8c6', 'BLIT': '#bfe3e6', 'validate': '#f3d9a6', 'waits': '#ffffff'}


class Resident:
    def __init__(self, segment, event):
        self.segment, self.name = segment, event['name'].removeprefix('out ').removeprefix('still in ')
        self.handle = event['args']['handle']
        self.page, self.pages = event['args']['page'], event['args']['pages']
        self.begin, self.end = event['args']['since'], event['ts']

    def holds(self, address):
        page = (address & 0x0fffffff) // 4096
        return address >> 28 == self.segment and self.page <= page < self.page + self.pages


class Run:
    """The events of a trace, by what this picture needs."""

    def __init__(self, path):
        with open(path, encoding='utf-8') as file:
            events = [e for e in json.load(file)['traceEvents'] if e['ph'] in 'Xi']
        self.lanes = {lane: sorted((e for e in events if e['ph'] == 'X' and e['pid'] == 1 and e['tid'] == lane
                                    and not e['name'].startswith('decide ')), key=lambda e: e['ts'])
                      for lane in (2, 3, 4)}
        self.residents = [Resident(segment, e) for segment, (process, _) in SEGMENTS.items()
                          for e in events if e['pid'] == process and 'since' in e['args']]
        # The packets of a portion lie inside its span, portions in the order of their submission.
        submits = [e for e in self.lanes[2] if e['name'].startswith('grant,')]
        plans = [e for e in self.lanes[2] if e['name'].startswith('plan')]
        spans = [e for e in self.lanes[3] if e['name'].startswith('portion,')]
        self.portions = []
        for plan, submit, span in zip(plans, submits, spans):
            portion = Portion(plan, submit, span)
            portion.steps = [e for e in self.lanes[2] if plan['ts'] <= e['ts'] < submit['ts']]
            binds = [int(e['args']['ADDRESS'], 16) for e in self.lanes[3] if e['name'] == 'BIND'
                     and e['args']['FORMAT'] != 0 and span['ts'] <= e['ts'] < span['ts'] + span['dur']]
            for address in binds:
                portion.used += [r for r in self.at(submit['ts']) if r.holds(address)][:1]
            self.portions.append(portion)

    def at(self, time):
        return [r for r in self.residents if r.begin <= time < r.end]

    def next_use(self, number, handle):
        """How many uses later than the portion's last one the allocation is used again; none known: None."""
        count = 0
        for portion in self.portions[number + 1:]:
            for resident in portion.used:
                count += 1
                if resident.handle == handle:
                    return count
        return None


class Portion:
    def __init__(self, plan, submit, span):
        self.plan, self.submit, self.span = plan, submit, span
        self.steps, self.used = [], []

    def named(self, what):
        return [e['name'][len(what) + 1:] for e in self.steps if e['name'].startswith(what + ' ')]

    def count(self):
        return len(self.named('evict')) + len(self.named('page in'))


def choose(run):
    """The number of the portion to be shown."""
    third = len(run.portions) // 3  # a frame of three: one before, one after
    middle = range(third, len(run.portions) - third)
    both = [n for n in middle if min(len(run.portions[n].named('evict')), len(run.portions[n].named('page in'))) >= 4]
    best = [n for n in both if any(r.begin < run.portions[n].plan['ts'] and r.pages < FRAME_BUFFER_PAGES
                                   for r in run.portions[n].used)]
    if not both:
        sys.exit('portion.py: no portion of this run evicts four and pages four in')
    return min(best or both, key=lambda n: run.portions[n].count())


class Story:
    """What happens to each allocation, with a letter for what is evicted and a number for what is paged in."""

    def __init__(self, run, number):
        self.run, self.number, self.portion = run, number, run.portions[number]
        begin, end = self.portion.plan['ts'], self.portion.submit['ts']
        self.before, self.after = run.at(begin), run.at(end)
        self.evicted = [r for r in self.before if r.end <= end]
        self.evicted.sort(key=lambda r: r.end)
        self.paged_in = sorted((r for r in self.after if r.begin > begin), key=lambda r: r.begin)
        used = {r.handle for r in self.portion.used}
        self.in_place = [r for r in self.before if r.handle in used and r not in self.evicted]
        self.labels = {id(r): chr(ord('a') + n) for n, r in enumerate(self.evicted)}
        self.labels.update({id(r): str(n + 1) for n, r in enumerate(self.paged_in)})

    def kind(self, resident):
        for name, group in (('evicted', self.evicted), ('paged in', self.paged_in), ('in place', self.in_place)):
            if resident in group:
                return name
        return 'other'

    def later(self, resident):
        uses = self.run.next_use(self.number, resident.handle)
        return 'not again' if uses is None else f'again after {uses} uses'

    def colour(self, resident):
        kind = self.kind(resident)
        if kind != 'other':
            return COLOURS[kind]
        uses = self.run.next_use(self.number, resident.handle)
        for limit, shade in SHADES:
            if limit is None or (uses is not None and uses < limit):
                return shade

    def lines(self):
        def place(resident):
            return f'{resident.pages} pages, segment {resident.segment} page {resident.page}'

        yield 'evicted', [f'{self.labels[id(r)]}: {r.name}, {place(r)}; {self.later(r)}' for r in self.evicted]
        yield 'paged in', [f'{self.labels[id(r)]}: {r.name}, {place(r)}' for r in self.paged_in]
        yield 'in place', [f'{r.name}, {place(r)}' for r in self.in_place]


class Svg:
    def __init__(self, height):
        print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
              'font-family="DejaVu Sans, sans-serif" font-size="11">\n'
              '<rect width="100%" height="100%" fill="#ffffff"/>')

    def box(self, x, y, width, height, colour, title):
        print(f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.3):.1f}" height="{height}" fill="{colour}" '
              f'stroke="#5a6270" stroke-width="{0.6 if width > 2 else 0.1}"><title>{title}</title></rect>')

    def text(self, x, y, text, size=11, anchor='start'):
        print(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}">{text}</text>')

    def end(self):
        print('</svg>')


def draw_map(svg, story, y):
    scale = (WIDTH - LEFT - RIGHT) / SEGMENTS[2][1]
    for segment, (_, pages) in sorted(SEGMENTS.items(), reverse=True):
        for when, residents in (('before', story.before), ('after', story.after)):
            svg.text(6, y + 17, f'segment {segment}, {when}')
            svg.box(LEFT, y, pages * scale, 26, '#ffffff', f'segment {segment}')
            for resident in residents:
                if resident.segment != segment:
                    continue
                x, label = LEFT + resident.page * scale, story.labels.get(id(resident))
                svg.box(x, y, resident.pages * scale, 26, story.colour(resident),
                        f'{resident.name}, {resident.pages} pages, {story.later(resident)}')
                if label is not None:
                    is_low = int(resident.page) % 4 >= 2 and resident.pages < 4
                    svg.text(x + resident.pages * scale / 2, y + (24 if is_low else 12), label, 9, 'middle')
            y += 32
        y += 6
    return y


def draw_legend(svg, y):
    names = {'evicted': 'evicted (letters)', 'paged in': 'paged in (numbers)',
             'in place': 'used by the portion, in place', 'other': 'other residents, darker: needed sooner'}
    for n, (kind, name) in enumerate(names.items()):
        svg.box(LEFT + n * 240, y, 14, 12, COLOURS[kind], name)
        svg.text(LEFT + n * 240 + 20, y + 10, name)
    return y + 30


def draw_time(svg, story, y):
    portion = story.portion
    begin, end = portion.plan['ts'] - 4000, portion.span['ts'] + portion.span['dur'] + 4000
    scale = (WIDTH - LEFT - RIGHT) / (end - begin)
    step = 10000 if end - begin < 200000 else 50000
    for at in range(0, int(end - begin) - 4000, step):
        svg.text(LEFT + (at + 4000) * scale, y, f'{at}')
        svg.box(LEFT + (at + 4000) * scale, y + 4, 0.1, 96, '#d9dce2', f'{at} cycles')
    for n, (lane, name) in enumerate(((2, 'firmware'), (4, 'paging node'), (3, 'render node'))):
        top = y + 10 + n * 32
        svg.text(6, top + 16, name)
        for event in story.run.lanes[lane]:
            first, last = max(event['ts'], begin), min(event['ts'] + event['dur'], end)
            if last <= first or event['name'].startswith(('portion,', 'paging buffer')):
                continue
            word = event['name'].split(' ')[0]
            svg.box(LEFT + (first - begin) * scale, top, (last - first) * scale, 24,
                    LANE_COLOURS.get(word, '#e8eaee'), event['name'])
            if (last - first) * scale > 8 * len(event['name'].split(',')[0]):
                svg.text(LEFT + (first - begin) * scale + 3, top + 16, event['name'].split(',')[0])
    svg.box(LEFT + (portion.span['ts'] - begin) * scale, y + 102, portion.span['dur'] * scale, 4, '#0b57a4',
            'this portion')
    svg.text(WIDTH - RIGHT, y + 118, 'this portion is drawn', anchor='end')
    return y + 142


def draw_lists(svg, story, y):
    for kind, rows in story.lines():
        if kind == 'in place':
            continue
        svg.text(6, y, kind)
        columns = 3
        for n, row in enumerate(rows):
            svg.text(LEFT + n % columns * 390, y + n // columns * 15, row, 10)
        y += (len(rows) + columns - 1) // columns * 15 + 8
    return y


def main():
    run = Run(sys.argv[1])
    story = Story(run, choose(run))
    portion = story.portion
    title = (f'Portion {story.number + 1}: {portion.plan["name"][5:]} of the patch list, {len(story.in_place)} in '
             f'place, {len(story.evicted)} evicted, {len(story.paged_in)} paged in')
    if sys.argv[2:] == ['text']:
        print(title)
        for kind, rows in story.lines():
            print(kind)
            for row in rows:
                print('  ' + row)
        begin = portion.plan['ts']
        for event in portion.steps + [portion.submit, portion.span]:
            print(f'{event["ts"] - begin:8} {event["dur"]:6} {event["name"]}')
        for event in run.lanes[4]:
            if begin <= event['ts'] < portion.span['ts'] + portion.span['dur']:
                print(f'{event["ts"] - begin:8} {event["dur"]:6} paging node: {event["name"]}')
        return
    lists = sum((len(rows) + 2) // 3 * 15 + 8 for kind, rows in story.lines() if kind != 'in place')
    svg = Svg(30 + 2 * 70 + 30 + 155 + lists)
    svg.text(6, 18, title, 14)
    y = draw_legend(svg, draw_map(svg, story, 30))
    y = draw_time(svg, story, y)
    draw_lists(svg, story, y)
    svg.end()


if len(sys.argv) not in (2, 3):
    sys.exit(__doc__)
main()
