# SPDX-License-Identifier: Apache-2.0
"""The time line of a run as a table."""
from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Optional, Tuple, Union


def timeline(path: Union[str, os.PathLike[str]], track: Optional[str] = None) -> List[Dict[str, Any]]:
    """The spans of a trace.json that `tessera run`, `play` or `replay` wrote, by their beginning: dictionaries with
    track ('render node', 'firmware', 'segment 1', ...), name, begin and end in cycles, and the span's own arguments.
    `track`: of this one alone."""
    with open(path, encoding='utf-8') as file:
        events = json.load(file)['traceEvents']
    tracks = {(e['pid'], e['tid']): e['args']['name'] for e in events if e['ph'] == 'M' and e['name'] == 'thread_name'}
    processes = {e['pid']: e['args']['name'] for e in events if e['ph'] == 'M' and e['name'] == 'process_name'}
    spans: List[Dict[str, Any]] = []
    begun: Dict[Tuple[Any, Any], Any] = {}

    def add(event: Any, begin: float, end: float) -> None:
        known = tracks.get((event['pid'], event.get('tid')), processes.get(event['pid']))
        spans.append({'track': known, 'name': event['name'], 'begin': begin, 'end': end,
                      'arguments': event.get('args', {})})

    for event in events:
        if event['ph'] == 'X':
            add(event, event['ts'], event['ts'] + event['dur'])
        elif event['ph'] == 'b':
            begun[event.get('cat'), event['id']] = event
        elif event['ph'] == 'e' and (first := begun.pop((event.get('cat'), event['id']), None)):
            add(first, first['ts'], event['ts'])
    return sorted((s for s in spans if track in (None, s['track'])), key=lambda s: (s['begin'], -s['end']))
