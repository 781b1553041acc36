import { describe, expect, it } from 'vitest'
import type { Connections, Port } from '@shared/contract/connections'
import type { MachineState } from '@shared/contract/machine'
import { groupRows, rowOfMachine } from './rows'

const none: Connections = {
  profiles: [],
  network: { searching: false, searched: null, found: [], problem: null },
  vice: { executable: '/usr/bin/x64sc', version: 'VICE 3.7.1', problem: null },
  serial: { ports: [], problem: null },
  configured: { machines: [], problems: [] },
}
const state = (machine: string, title: string, version: string | null = null) =>
  ({ machine, title, version }) as MachineState
const desk = 'ultimate:10.0.0.64'
const found = { machine: desk, title: 'Desk-U64', about: 'Ultimate 64, firmware 3.12', asksForPassword: true }
const port: Port = {
  device: '/dev/ttyACM0',
  vendor: 'Teensyduino',
  product: 'USB Serial',
  board: 'TeensyROM',
  machines: ['teensyrom:/dev/ttyACM0'],
}

const rows = (connections: Partial<Connections>, machines: MachineState[] = []) =>
  groupRows(machines, { ...none, ...connections }).map(({ rows: list }) =>
    list.map(({ name, title, about }) => [name, title, about].join(' | ')),
  )
const empty = (connections: Partial<Connections>) =>
  groupRows([], { ...none, ...connections }).map((group) => group.empty)

describe('the list of connections', () => {
  it('has its groups before it is known what is in them', () => {
    const vice = { ...state('vice', 'VICE'), connection: 'idle' } as MachineState
    const early = groupRows([vice], null)
    expect(early.map(({ title }) => title)).toEqual(groupRows([vice], none).map(({ title }) => title))
    expect(early.slice(1).every(({ empty }) => empty?.endsWith('…'))).toBe(true)
    expect(early[0]?.rows[0]?.about).toContain('Looking')
  })

  it('says which VICE it starts, or why it cannot', () => {
    const about = (vice: Connections['vice']) =>
      rows({ vice }, [{ ...state('vice', 'VICE'), connection: 'idle' }])[0]?.[0]
    const executable = '/usr/bin/x64sc'
    expect(about({ executable, version: 'VICE 3.7.1', problem: null })).toContain('Starts VICE 3.7.1, /usr/bin/x64sc')
    expect(about({ executable, version: null, problem: null })).toContain('Starts VICE, /usr/bin/x64sc')
    expect(about({ executable: null, version: null, problem: 'VICE is not installed.' })).toContain('is not installed')
  })

  it('has each machine once, with all that is known of it', () => {
    const connections = {
      profiles: [{ machine: desk, title: 'My desk', hasPassword: true }],
      network: { searching: false, searched: 1, found: [found], problem: null },
      configured: {
        machines: [{ machine: desk, title: 'C64 Ultimate', source: '.c64bridge.json', hasPassword: false }],
        problems: [],
      },
    }
    expect(rows(connections)).toEqual([
      [`${desk} | My desk | Ultimate 64, firmware 3.12 · password saved · in .c64bridge.json`],
      [],
      [],
      [],
    ])
    expect(rows(connections, [state(desk, 'Ultimate 64', 'firmware 3.14')])[0]).toEqual([
      `${desk} | My desk | Ultimate 64 · firmware 3.14 · password saved · in .c64bridge.json`,
    ])
  })

  it('has what was found, plugged in and configured in groups of their own', () => {
    expect(
      rows(
        {
          network: { searching: false, searched: 1, found: [found], problem: null },
          serial: {
            ports: [port, { device: 'COM3', vendor: null, product: null, board: null, machines: [] }],
            problem: null,
          },
          configured: {
            machines: [{ machine: 'vice:6502', title: 'VICE', source: 'VICE_PORT', hasPassword: false }],
            problems: [],
          },
        },
        [state('builtin', 'Built-in C64')],
      ),
    ).toEqual([
      ['builtin | Built-in C64 | '],
      [`${desk} | Desk-U64 | Ultimate 64, firmware 3.12 · asks for a password`],
      ['/dev/ttyACM0 | TeensyROM | Teensyduino USB Serial', 'COM3 | COM3 | '],
      ['vice:6502 | VICE | in VICE_PORT'],
    ])
  })

  it('says why a group is empty', () => {
    expect(empty({})).toEqual([
      null,
      'Not searched yet.',
      expect.stringMatching(/^No serial port/),
      expect.stringMatching(/^No \.c64bridge/),
    ])
    expect(empty({ network: { ...none.network, searching: true } })[1]).toBe('Searching…')
    expect(empty({ network: { ...none.network, searched: 1 } })[1]).toMatch(/^No Ultimate answered/)
    const problems = groupRows([], { ...none, serial: { ports: [], problem: 'udevadm is missing.' } }).map(
      (group) => group.problems,
    )
    expect(problems).toEqual([[], [], ['udevadm is missing.'], []])
    expect(empty({ serial: { ports: [], problem: 'udevadm is missing.' } })[2]).toBeNull()
  })

  it('has the machines that were connected before a restart, once, as not connected', () => {
    const running = state('vice', 'VICE')
    const recent = ['vice:6510', 'vice'].map((machine) => ({ machine, title: machine }))
    const [own, before] = groupRows([running], none, { recent })
    expect(own?.rows.map(({ machine }) => machine)).toContain('vice')
    expect(before).toMatchObject({ title: 'Recent', rows: [{ machine: 'vice:6510', state: null }] })
  })

  it('finds the row of a machine', () => {
    const groups = groupRows([state('builtin', 'Built-in C64')], none)
    expect(rowOfMachine(groups, 'builtin')?.title).toBe('Built-in C64')
    expect(rowOfMachine(groups, 'vice')).toBeUndefined()
  })
})
