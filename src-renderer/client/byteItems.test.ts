import { describe, expect, it, vi } from 'vitest'
import type { MachineState } from '@shared/contract/machine'
import { byteItems } from './byteItems'

const state = (checkpoints: string | null) =>
  ({
    title: 'Desk',
    connection: 'live',
    capabilities: { checkpoints, readMemory: null, timeTravel: null },
  }) as MachineState

const actions = {
  goTo: vi.fn(),
  showHistory: vi.fn(),
  goToWrite: vi.fn(),
  breakWhen: vi.fn(),
  watch: vi.fn(),
  plot: vi.fn(),
  copy: vi.fn(),
}

const labels = (target: Parameters<typeof byteItems>[0], of = state(null)) =>
  byteItems(target, of, actions).map(({ label }) => label)

describe('the menu of a byte', () => {
  it('goes to it, stops at it, watches, plots and copies it', () => {
    expect(labels({ address: 0xd020, space: 'io', value: 6 })).toEqual([
      'Go to $D020',
      'Show what wrote it',
      'Go back to its last write',
      'Stop when written',
      'Stop when read',
      'Stop when run',
      'Watch for 1 min',
      'Plot in Timeline',
      'Copy $D020',
      'Copy $06',
    ])
  })

  it('goes in the memory view to where the byte and the next one point, and not to itself', () => {
    const [first] = labels({ address: 0x0314, space: 'cpu', value: 0x31, pointsTo: 0xea31, isInMemory: true })
    expect(first).toBe('Go to $EA31, the address stored here')
  })

  it('says why the machine cannot stop at it', () => {
    const items = byteItems({ address: 0xd020, space: 'io' }, state('No checkpoints over the network.'), actions)
    expect(items.find(({ label }) => label === 'Stop when written')?.why).toBe('No checkpoints over the network.')
    expect(items.find(({ label }) => label === 'Watch for 1 min')?.why).toBeNull()
  })

  it('has no value to copy where none is known', () => {
    expect(labels({ address: 0xd020, space: 'io' })).not.toContain('Copy $06')
  })
})
