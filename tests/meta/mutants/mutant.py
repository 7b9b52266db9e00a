# SPDX-License-Identifier: Apache-2.0
"""Which generated fault a program in Python runs with, and which it comes to: as mutant.h does in C."""
import mmap
import os

CHOSEN = int(os.environ.get('MUTANT') or 0)
REACHED = None
if os.environ.get('MUTANT_REACHED'):
    with open(os.environ['MUTANT_REACHED'], 'r+b') as file:
        REACHED = mmap.mmap(file.fileno(), 0)


def MUTANT(number):
    """Is this fault the chosen one?"""
    if REACHED is not None:
        REACHED[number] = 1
    return number == CHOSEN
