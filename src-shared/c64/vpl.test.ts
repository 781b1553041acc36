import { describe, expect, it } from 'vitest'
import { palettes } from './palettes'
import { MAX_VPL_BYTES, readVpl } from './vpl'

const twoDigits = (value: number): string => value.toString(16).padStart(2, '0')
const lines = palettes.pepto.map((rgb) =>
  [rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff].map(twoDigits).join(' ').toUpperCase(),
)

describe('a palette of VICE', () => {
  it('has sixteen colours between comments and empty lines', () => {
    const text = `# VICE Palette file\n#\n# Red Green Blue\n\n${lines.join('\n\n# next\n')}\n`
    expect(readVpl(text)).toEqual({ colours: palettes.pepto, problems: [] })
  })

  it('may have a dither value behind each colour, and the line ends of other systems', () => {
    expect(readVpl(lines.map((line) => `${line} E`).join('\r\n')).colours).toEqual(palettes.pepto)
    expect(readVpl(lines.map((line) => `  ${line.replaceAll(' ', '\t')} 0 `).join('\r')).colours).toEqual(
      palettes.pepto,
    )
  })

  it('is refused at a line that is no colour', () => {
    const broken = [...lines.slice(0, 3), '12 34', ...lines.slice(4)].join('\n')
    expect(readVpl(broken)).toEqual({ colours: null, problems: [expect.objectContaining({ line: 4 })] })
    for (const bad of ['G0 00 00', '100 00 00', '00 00 00 0 0', '-1 00 00', '<b>'])
      expect(readVpl([bad, ...lines.slice(1)].join('\n')).problems, bad).toEqual([expect.objectContaining({ line: 1 })])
  })

  it('is refused with more or fewer colours, as other machines have', () => {
    for (const count of [0, 15, 17, 128])
      expect(readVpl(Array.from({ length: count }, () => '00 00 00').join('\n'))).toEqual({
        colours: null,
        problems: [expect.objectContaining({ text: expect.stringContaining(`found ${count}`) as string })],
      })
  })

  it('takes a few bytes of a file without end, and tells a few of its problems', () => {
    const { colours, problems } = readVpl('x\n'.repeat(MAX_VPL_BYTES))
    expect(colours).toBeNull()
    expect(problems.length).toBeLessThan(10)
  })
})
