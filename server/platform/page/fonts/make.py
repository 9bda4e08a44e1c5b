#!/usr/bin/python3
"""Makes the site's own cuts of Source Serif 4.005 (https://github.com/adobe-fonts/source-serif, folder TTF), small
enough for a first visit. The package @fontsource/source-serif-4 has no old-style figures.

usage: make.py <folder with Adobe's TTF files>     needs Debian's python3-fonttools and python3-brotli
"""
import sys
from pathlib import Path

from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

here = Path(__file__).parent
family = 'Standfirst Serif'  # the OFL reserves the name "Source" for what Adobe made

# As server/platform/page/style.ts names them. Accents are cheap beside the letters they stand on.
letters = [*range(0x20, 0x7F), 0xA0, 0xAD, *range(0xC0, 0x100), *map(ord, '¡£§©«°·»¿Œœ‐‑–—‘’‚“”„•…€')]
symbols = [*range(0xA2, 0xC0), *map(ord, 'ı‒†‡‰′″‹›™←↑→↓−')]
sets = {'': letters, '-symbols': [c for c in symbols if c not in letters]}

# The cut for headlines is drawn for 20 pt, and stands for bold text as well.
cuts = {
    '400': ('SourceSerif4-Regular.ttf', 'Regular', ['kern', 'liga', 'onum', 'lnum', 'pnum', 'tnum']),
    '400-italic': ('SourceSerif4-It.ttf', 'Italic', ['kern', 'liga', 'onum', 'lnum', 'pnum', 'tnum']),
    '600': ('SourceSerif4Subhead-Semibold.ttf', 'Semibold', ['kern', 'liga', 'lnum', 'pnum', 'tnum']),
}
least_kern = 10  # thousandths of an em: a fifth of a pixel in text


def kerned_pairs(font):
    """Every pair of glyphs and what is between them; contextual rules (around spaces) are left out."""
    table = font['GPOS'].table
    kern = {i for r in table.FeatureList.FeatureRecord if r.FeatureTag == 'kern' for i in r.Feature.LookupListIndex}
    found = {}
    for index in sorted(kern):
        in_lookup = {}
        for sub in table.LookupList.Lookup[index].SubTable:
            sub = getattr(sub, 'ExtSubTable', sub)
            if sub.LookupType != 2:
                continue
            for first, second, value in pairs_of(sub, font.getGlyphOrder()):
                in_lookup.setdefault((first, second), getattr(value, 'XAdvance', 0) if value else 0)
        for pair, advance in in_lookup.items():
            found.setdefault(pair, advance)
    return {pair: advance for pair, advance in found.items() if abs(advance) >= least_kern}


def pairs_of(sub, glyphs):
    if sub.Format == 1:
        for first, pairs in zip(sub.Coverage.glyphs, sub.PairSet):
            for record in pairs.PairValueRecord:
                yield first, record.SecondGlyph, record.Value1
    else:
        for first in sub.Coverage.glyphs:
            row = sub.Class1Record[sub.ClassDef1.classDefs.get(first, 0)].Class2Record
            for second in glyphs:
                yield first, second, row[sub.ClassDef2.classDefs.get(second, 0)].Value1


def with_one_kern_table(font):
    """Glyphs that kern alike share a class: one table of classes, a third smaller than Adobe's many."""
    pairs = kerned_pairs(font)
    firsts, seconds = sorted({a for a, _ in pairs}), sorted({b for _, b in pairs})
    rows, columns = {}, {}
    for a in firsts:
        rows.setdefault(tuple(pairs.get((a, b), 0) for b in seconds), []).append(a)
    for b in seconds:
        columns.setdefault(tuple(pairs.get((a, b), 0) for a in firsts), []).append(b)
    rules = [
        f'pos [{" ".join(row)}] [{" ".join(column)}] {pairs[row[0], column[0]]};'
        for row in rows.values()
        for column in columns.values()
        if (row[0], column[0]) in pairs
    ]
    del font['GPOS']
    if rules:
        systems = 'languagesystem DFLT dflt; languagesystem latn dflt;'
        addOpenTypeFeaturesFromString(font, f'{systems} feature kern {{ {" ".join(rules)} }} kern;', tables=['GPOS'])


def named(font, style):
    table = font['name']
    copyright = table.getDebugName(0)
    table.names = []
    words = {0: copyright, 1: family, 2: style, 4: f'{family} {style}', 6: f'StandfirstSerif-{style}'}
    words[14] = 'https://openfontlicense.org'
    for number, text in words.items():
        table.setName(text, number, 3, 1, 0x409)


for cut, (file, style, features) in cuts.items():
    for suffix, characters in sets.items():
        font = TTFont(Path(sys.argv[1]) / file)
        options = Options(hinting=False, layout_features=features, notdef_outline=True, name_IDs=['*'])
        options.drop_tables += ['STAT', 'BASE', 'DSIG', 'GDEF']
        subsetter = Subsetter(options)
        subsetter.populate(unicodes=characters)
        subsetter.subset(font)
        with_one_kern_table(font)
        named(font, style)
        font.flavor = 'woff2'
        target = here / f'serif-{cut}{suffix}.woff2'
        font.save(target)
        print(target.name, target.stat().st_size)
