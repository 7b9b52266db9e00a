#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The queries of docs/views.md over a trace.json, in SQLite: with the tables of Perfetto's trace_processor that they
name, made of the file by the rules of its JSON importer, and extract_arg. Goal: each of them is SQL, names what is in
a trace, and its sums are those of run.json.
  queries.py DOCUMENT FOLDER-OF-A-RUN
"""
import json
import re
import sqlite3
import sys

passed = failed = 0


def check(is_good, what):
    global passed, failed
    print('ok   ' if is_good else 'FAIL ', what)
    passed += bool(is_good)
    failed += not is_good


def tables(events):
    base = sqlite3.connect(':memory:')
    base.executescript('''CREATE TABLE thread (utid INTEGER, tid INTEGER, pid INTEGER, name TEXT);
                          CREATE TABLE thread_track (id INTEGER, utid INTEGER);
                          CREATE TABLE slice (id INTEGER, ts INTEGER, dur INTEGER, track_id INTEGER, name TEXT,
                                              arg_set_id INTEGER);''')
    sets = []

    def extract_arg(number, path):
        value = {'args': sets[number]}
        for key in path.split('.'):
            value = value.get(key) if isinstance(value, dict) else None
        return int(value) if isinstance(value, bool) else value

    base.create_function('extract_arg', 2, extract_arg)
    threads = {}
    for event in events:
        if event['ph'] == 'M' and event['name'] == 'thread_name':
            threads[event['pid'], event['tid']] = event['args']['name']
    number = {place: i for i, place in enumerate(threads)}
    for (pid, tid), name in threads.items():
        base.execute('INSERT INTO thread VALUES (?, ?, ?, ?)', (number[pid, tid], tid, pid, name))
        base.execute('INSERT INTO thread_track VALUES (?, ?)', (100 + number[pid, tid], number[pid, tid]))
    for event in events:
        if event['ph'] not in 'Xi':
            continue
        sets.append(event.get('args', {}))
        base.execute('INSERT INTO slice VALUES (?, ?, ?, ?, ?, ?)',
                     (len(sets), 1000 * event['ts'], 1000 * event.get('dur', 0),
                      100 + number[event['pid'], event['tid']], event['name'], len(sets) - 1))
    return base


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        queries = re.findall(r'```sql\n(.*?)```', file.read(), re.DOTALL)
    with open(sys.argv[2] + '/trace.json', encoding='utf-8') as file:
        base = tables(json.load(file)['traceEvents'])
    with open(sys.argv[2] + '/run.json', encoding='utf-8') as file:
        run = json.load(file)
    check(len(queries) >= 3, 'the document has queries')
    answers = []
    for query in queries:
        cursor = base.execute(query)
        rows = cursor.fetchall()
        answers.append(rows)
        print('\n'.join(query.splitlines()[:1]), *[column[0] for column in cursor.description])
        for row in rows:
            print('     ', *row)
        check(rows and all(value is not None for row in rows for value in row), 'an answer without holes')
    stages = {row[0]: row[1:] for row in answers[0]}
    check(stages['evict'][0] == run['evictions'], 'a span per eviction')
    if run['cycles'] is not None:  # the golden model has no clock
        check(sum(row[2] for row in answers[0]) <= run['cycles'], 'the firmware did no more than there were cycles')
    if run['account']:
        busy = run['statistics']['FIRMWARE_CYCLES']
        check(abs(sum(row[2] for row in answers[0]) - busy) < 0.05 * busy, 'what it did is what it was busy')
    check(all(pages >= times > 0 for _, times, pages in answers[1]), 'what came back has pages')
    check(sum(row[1] for row in answers[2]) == run['portions'], 'a decision per portion')
    check([row[0] for row in answers[2]] == list(range(run['frames'])), 'of every frame')
    print(f'{passed} passed, {failed} failed')
    return failed != 0


sys.exit(main())
