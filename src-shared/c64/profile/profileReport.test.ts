import { describe, expect, it } from 'vitest'
import { locationOf } from '../banking'
import { CallTree } from './callTree'
import { flameGraph } from './flameGraph'
import { MAIN_PROGRAM, addressesIn, reportProfile, type ProfileBlock } from './profileReport'

const names: Readonly<Record<number, string>> = {
  0x1000: 'main',
  0x1003: 'main+3',
  0x2000: 'draw',
  0x2010: 'draw.loop',
}
const nameOf = (address: number): string | null => names[address] ?? null

/** `main` calls `draw` with a local label, and `$4000`; an IRQ comes meanwhile. */
function example(): CallTree {
  const tree = new CallTree()
  tree.ran(0x1000, 6, 0xfd)
  tree.enter('call', 0x2000, 0x1000, 0xff)
  tree.ran(0x2000, 10, 0xfd)
  tree.ran(0x2010, 20, 0xfd)
  tree.enter('irq', locationOf('rom', 0xff48), 0x2010, 0xfd)
  tree.ran(locationOf('rom', 0xff48), 7, 0xfa)
  tree.ran(locationOf('rom', 0xff4a), 6, 0xfd)
  tree.ran(0x2001, 6, 0xff)
  tree.ran(0x1003, 6, 0xfd)
  tree.enter('call', 0x4000, 0x1003, 0xff)
  tree.ran(0x4000, 6, 0xff)
  return tree
}

const shape = ({ name, cycles, children }: ProfileBlock): unknown => [name, cycles, ...children.map(shape)]

describe('a profile’s report', () => {
  it('has a row for each label and routine, with its own cycles and those of what it calls', () => {
    const { rows } = reportProfile(example().nodes, nameOf)
    expect(rows).toEqual([
      { name: 'draw.loop', interrupt: null, calls: 0, self: 20, total: 20 },
      { name: 'draw', interrupt: null, calls: 1, self: 16, total: 36 },
      { name: '$FF48', interrupt: 'irq', calls: 1, self: 13, total: 13 },
      { name: 'main', interrupt: null, calls: 0, self: 12, total: 54 },
      { name: '$4000', interrupt: null, calls: 1, self: 6, total: 6 },
      { name: 'IRQ', interrupt: 'irq', calls: 1, self: 0, total: 13 },
    ])
  })

  it('stacks what is called on its caller, and interrupts beside', () => {
    const { root } = reportProfile(example().nodes, nameOf)
    expect(shape(root)).toEqual([
      'all',
      67,
      ['main', 54, ['draw', 36, ['draw.loop', 20]], ['$4000', 6]],
      ['IRQ', 13, ['$FF48', 13]],
    ])
  })

  it('counts a routine that calls itself once in its total', () => {
    const tree = new CallTree()
    for (let depth = 0; depth < 5; depth++) {
      tree.ran(depth === 0 ? 0x1000 : 0x2000, 6, 0xfd - 2 * depth)
      tree.enter('call', 0x2000, depth === 0 ? 0x1000 : 0x2000, 0xff - 2 * depth)
    }
    tree.ran(0x2000, 2, 0xf5)
    const draw = reportProfile(tree.nodes, nameOf).rows.find(({ name }) => name === 'draw')
    expect(draw).toMatchObject({ calls: 5, self: 26, total: 26 })
  })

  it('calls what has no name and no routine the main program', () => {
    const tree = new CallTree()
    tree.ran(0x5000, 4, 0xff)
    tree.enter('call', 0x6000, 0x5000, 0xff)
    tree.ran(0x6000, 2, 0xfd)
    const { rows } = reportProfile(tree.nodes, nameOf)
    expect(rows.map(({ name, self, total }) => [name, self, total])).toEqual([
      [MAIN_PROGRAM, 4, 6],
      ['$6000', 2, 2],
    ])
  })

  it('asks for the names of all addresses once', () => {
    expect(addressesIn(example().nodes).sort((a, b) => a - b)).toEqual([
      0x1000,
      0x1003,
      0x2000,
      0x2001,
      0x2010,
      0x4000,
      locationOf('rom', 0xff48),
      locationOf('rom', 0xff4a),
    ])
  })
})

describe('a flame graph', () => {
  it('shows the names of labels as text, whatever they are', () => {
    const tree = new CallTree()
    tree.ran(0x1000, 6, 0xff)
    const { root } = reportProfile(tree.nodes, () => '"><script>alert(1)</script>&')
    const html = flameGraph(root, '<b>title</b>')
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(html).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;')
    expect(html).not.toContain('<b>')
  })

  it('loads nothing from elsewhere', () => {
    const html = flameGraph(reportProfile(example().nodes, nameOf).root, 'builtin')
    expect(html).toContain("default-src 'none'")
    expect(html).not.toMatch(/https?:|src=|href=|url\(/)
  })

  it('places a block by its share of the time, below what it calls', () => {
    const html = flameGraph(reportProfile(example().nodes, nameOf).root, 'builtin')
    const block = (name: string) =>
      new RegExp(`<button style="left:([\\d.]+)%;width:([\\d.]+)%;top:(\\d+)px[^>]*>${name}<`)
    const [, left, width, top] = (block('IRQ').exec(html) ?? []).map(Number)
    expect([left, width, top]).toEqual([expect.closeTo(5400 / 67, 3), expect.closeTo(1300 / 67, 3), 40])
    expect(Number(block('draw.loop').exec(html)?.[3])).toBe(0)
  })

  it('leaves out what nobody could see', () => {
    const root = { name: 'all', cycles: 10_000, children: [{ name: 'tiny', cycles: 1, children: [] }] }
    expect(flameGraph(root, 'builtin')).not.toContain('tiny')
  })

  it('is made of a profile without cycles too', () => {
    expect(flameGraph({ name: 'all', cycles: 0, children: [] }, 'builtin')).toContain('all: 0 cycles')
  })
})
