import { describe, expect, it } from 'vitest'
import { CallTree } from './callTree'

const named = (tree: CallTree) => tree.nodes.map(({ kind, entry, calls, cycles }) => ({ kind, entry, calls, cycles }))

describe('a call tree', () => {
  it('counts cycles for the routine that was called, until the stack is as high as before', () => {
    const tree = new CallTree()
    tree.ran(0x1000, 6, 0xfd)
    tree.enter('call', 0x2000, 0x1000, 0xff)
    tree.ran(0x2000, 2, 0xfd)
    tree.ran(0x2001, 6, 0xff)
    tree.ran(0x1003, 3, 0xff)
    expect(named(tree)).toEqual([
      { kind: 'start', entry: null, calls: 0, cycles: [0x1000, 6, 0x1003, 3] },
      { kind: 'call', entry: 0x2000, calls: 1, cycles: [0x2000, 2, 0x2001, 6] },
    ])
  })

  it('keeps apart where a routine is called from, and counts its calls', () => {
    const tree = new CallTree()
    for (const from of [0x1000, 0x1003, 0x1000]) {
      tree.ran(from, 6, 0xfd)
      tree.enter('call', 0x2000, from, 0xff)
      tree.ran(0x2000, 6, 0xff)
    }
    expect(tree.nodes.map(({ from, calls }) => [from, calls])).toEqual([
      [null, 0],
      [0x1000, 2],
      [0x1003, 1],
    ])
  })

  it('ends every call whose return address was dropped', () => {
    const tree = new CallTree()
    tree.enter('call', 0x2000, 0x1000, 0xff)
    tree.enter('call', 0x3000, 0x2000, 0xfd)
    tree.ran(0x3000, 2, 0xff) // TXS
    tree.ran(0x1003, 3, 0xff)
    expect(named(tree)[0]?.cycles).toEqual([0x1003, 3])
  })

  it('counts an interrupt by itself, and goes on with what it interrupted', () => {
    const tree = new CallTree()
    tree.enter('call', 0x2000, 0x1000, 0xff)
    tree.enter('irq', 0xff48, 0x2000, 0xfd)
    tree.ran(0xff48, 7, 0xfa)
    tree.ran(0xff49, 6, 0xfd)
    tree.ran(0x2001, 2, 0xfd)
    const { nodes } = tree
    expect(nodes.map(({ kind, parent, cycles }) => [kind, parent, cycles])).toEqual([
      ['start', null, []],
      ['call', 0, [0x2001, 2]],
      ['irq', null, [0xff48, 7, 0xff49, 6]],
    ])
  })

  it('counts for the caller what is more than it keeps apart, and says so', () => {
    const tree = new CallTree({ nodes: 2, places: 2 })
    tree.enter('call', 0x2000, 0x1000, 0xff)
    expect(tree.isCut).toBe(false)
    tree.enter('call', 0x3000, 0x2000, 0xfd)
    for (const pc of [0x3000, 0x3001, 0x3002]) tree.ran(pc, 2, 0xfb)
    expect(tree.isCut).toBe(true)
    expect(named(tree)[1]).toEqual({ kind: 'call', entry: 0x2000, calls: 1, cycles: [0x3000, 2, 0x3001, 2, 0x2000, 2] })
  })
})
