#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Goal: the register maps for other tools say what the table says. Method: a list of registers and fields is made of
each map and held against that of list_registers.c.
    maps.py LIST RDL SVD            read here: the SVD as XML, the SystemRDL line by line
    maps.py --judges LIST RDL SVD   read by systemrdl-compiler and cmsis-svd, of PyPI"""
import re
import sys
import xml.etree.ElementTree

# What the host may do, in the words of each.
SVD_ACCESS = {('read-only', None): 'RO', ('read-write', None): 'RW', ('write-only', None): 'WO',
              ('read-write', 'oneToClear'): 'W1C'}
RDL_ACCESS = {('r', False): 'RO', ('rw', False): 'RW', ('w', False): 'WO', ('rw', True): 'W1C'}


def line(block, name, address, access, reset):
    return f'{block} {name} {address:x} {access} {reset:x}'


def of_svd(path):
    """Standard library alone: peripherals, derived ones, registers, fields."""
    lines, registers = [], {}
    for peripheral in xml.etree.ElementTree.parse(path).getroot().iter('peripheral'):
        block, base = peripheral.findtext('name'), int(peripheral.findtext('baseAddress'), 0)
        original = peripheral.get('derivedFrom')
        registers[block] = registers[original] if original else peripheral.findall('registers/register')
        for register in registers[block]:
            access = SVD_ACCESS[register.findtext('access'), register.findtext('modifiedWriteValues')]
            address, reset = base + int(register.findtext('addressOffset'), 0), int(register.findtext('resetValue'), 0)
            lines.append(line(block, register.findtext('name'), address, access, reset))
            for field in register.iter('field'):
                lines.append('  ' + ' '.join(field.findtext(x) for x in ('name', 'bitOffset', 'bitWidth')))
    return lines


def of_rdl(path):
    """The lines that gen_maps.c prints."""
    lines, block, fields = [], [], []
    field_shape = re.compile(r'field \{ sw = (\w+); hw = \w+;( onwrite = woclr;)?.*\} (\w+)\[(\d+):(\d+)\] = (0x\w+);$')
    for text in (text.strip() for text in open(path)):
        if found := field_shape.match(text):
            sw, clears, name, high, low, reset = found.groups()
            fields.append((name, int(low), int(high) - int(low) + 1, int(reset, 0), RDL_ACCESS[sw, bool(clears)]))
        elif found := re.match(r'\} (\w+) @(0x\w+);$', text):
            if fields:
                block.append((found[1], int(found[2], 0), fields))
                fields = []
            else:
                lines += in_block(found[1], [int(found[2], 0)], block)
                block = []
        elif found := re.match(r'\} (\w+)\[(\d+)\] @(0x\w+) \+= (0x\w+);$', text):
            lines += in_block(found[1], [int(found[3], 0) + i * int(found[4], 0) for i in range(int(found[2]))], block)
            block = []
    return lines


def in_block(name, bases, block):
    lines = []
    for copy, base in enumerate(bases):
        for register, offset, fields in block:
            reset = sum(field[3] << field[1] for field in fields)
            called = f'{name}{copy}' if len(bases) > 1 else name
            lines.append(line(called, register, base + offset, fields[0][4], reset))
            lines += [f'  {field[0]} {field[1]} {field[2]}' for field in fields if field[0] != 'VALUE']
    return lines


def of_svd_judged(path):
    from cmsis_svd.parser import SVDParser
    lines = []
    for peripheral in SVDParser.for_xml_file(path).get_device().peripherals:
        for register in peripheral.registers:
            access = SVD_ACCESS[register.access.value,
                                register.modified_write_values.value if register.modified_write_values else None]
            lines.append(line(peripheral.name, register.name, peripheral.base_address + register.address_offset, access,
                              register.reset_value))
            lines += [f'  {field.name} {field.bit_offset} {field.bit_width}' for field in register.fields or []]
    return lines


def of_rdl_judged(path):
    from systemrdl import RDLCompiler
    from systemrdl.node import RegNode
    compiler, lines = RDLCompiler(), []
    compiler.compile_file(path)
    for node in compiler.elaborate().descendants(unroll=True):
        if not isinstance(node, RegNode):
            continue
        fields = list(node.fields())
        block = node.parent.inst_name
        if node.parent.is_array:
            block += str(node.parent.current_idx[0])
        clears = fields[0].get_property('onwrite') is not None
        lines.append(line(block, node.inst_name, node.absolute_address,
                          RDL_ACCESS[fields[0].get_property('sw').name, clears],
                          sum(field.get_property('reset') << field.low for field in fields)))
        lines += [f'  {field.inst_name} {field.low} {field.width}' for field in fields if field.inst_name != 'VALUE']
    return lines


def main():
    judged = sys.argv[1] == '--judges'
    expected, rdl, svd = sys.argv[-3:]
    expected = open(expected).read().splitlines()
    failed = 0
    for name, lines in ((rdl, (of_rdl_judged if judged else of_rdl)(rdl)),
                        (svd, (of_svd_judged if judged else of_svd)(svd))):
        differing = [f'{a} instead of {b}' for a, b in zip(lines, expected) if a != b]
        good = len(lines) == len(expected) and len(lines) > 100 and not differing
        said = f'{"ok   " if good else "FAIL "} {name}: {len(lines)} registers and fields of {len(expected)}'
        print(said, *differing[:5], sep='\n      ')
        failed += not good
    print(f'{2 - failed} passed, {failed} failed')
    return failed != 0


sys.exit(main())
