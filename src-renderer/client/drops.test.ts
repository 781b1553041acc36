import { describe, expect, it } from 'vitest'
import type { MachineState } from '@shared/contract/machine'
import { describeDrops, limitOfDrop, planDrop } from './drops'

const state = (connection: MachineState['connection'], tape: string | null = null, drives: string | null = null) =>
  ({
    title: 'Desk',
    connection,
    capabilities: { runProgram: null, saveState: null, drives },
    programFiles: {
      prg: null,
      cartridge: null,
      disk: null,
      tape,
      snapshot: 'Only VICE loads its snapshots.',
      music: null,
    },
  }) as MachineState

const whys = (of: MachineState | undefined) =>
  Object.fromEntries(describeDrops(of).map(({ title, why }) => [title, why]))

describe('a drop', () => {
  it('is told for each kind of file, with the machine’s reason where it does nothing', () => {
    expect(whys(state('live', 'No tapes here.'))).toMatchObject({
      'PRG, P00': null,
      'TAP, T64': 'No tapes here.',
      VSF: expect.stringContaining('VICE') as string,
      'SPD, SPM, CTM, Petmate, Koala': null,
      Folder: null,
      'PRG with a D64': null,
    })
    expect(whys(state('live', null, 'No drives here.'))).toMatchObject({ 'PRG with a D64': 'No drives here.' })
  })

  it('opens folders where no machine is connected', () => {
    expect(whys(state('idle'))).toMatchObject({ 'PRG, P00': 'Desk is not connected.', Folder: null })
    expect(whys(undefined)).toMatchObject({ SID: 'No machine is chosen.', Folder: null })
  })

  it('is refused by the file’s ending, in any case, and an unknown one is left to the machine', () => {
    expect(limitOfDrop('GAME.TAP', state('live', 'No tapes here.'))).toBe('No tapes here.')
    expect(limitOfDrop('game.vsf', state('live'))).toMatch(/VICE/)
    expect(limitOfDrop('game.prg', state('live', 'No tapes here.'))).toBeNull()
    expect(limitOfDrop('game.xyz', state('live'))).toBeNull()
    expect(limitOfDrop('before.bridgedeck-state', state('live'))).toBeNull()
  })

  it('of several files opens the first of a known kind that the machine takes, and says why not the others', () => {
    const files = ['readme.txt', 'side.tap', 'game.prg', 'hero.spd', 'other.prg'].map((name) => ({ name }))
    const { opened, left } = planDrop(files, state('live', 'No tapes here.'))
    expect(opened?.name).toBe('game.prg')
    expect(left.map(({ name, why }) => `${name}: ${why}`)).toEqual([
      expect.stringMatching(/^readme\.txt: One file/),
      'side.tap: No tapes here.',
      expect.stringMatching(/^hero\.spd: One file/),
      expect.stringMatching(/^other\.prg: One file/),
    ])
    expect(planDrop([{ name: 'hero.spd' }], state('idle')).opened?.name).toBe('hero.spd')
  })

  it('of files of labels loads each, beside the program that is run or alone', () => {
    const files = ['game.PRG', 'game.lbl', 'draw.DBG'].map((name) => ({ name }))
    const { labels, opened, left } = planDrop(files, state('live'))
    expect([labels.map(({ name }) => name), opened?.name, left]).toEqual([['game.lbl', 'draw.DBG'], 'game.PRG', []])
    expect(planDrop(files.slice(1), state('live'))).toMatchObject({ opened: null, left: [] })
  })

  it('of a program and a disk inserts the disk and runs the program, where the machine has a drive', () => {
    const planned = (of: MachineState, ...names: string[]) => {
      const { inserted, opened, left } = planDrop(
        names.map((name) => ({ name })),
        of,
      )
      return [inserted?.name, opened?.name, ...left.map(({ name }) => name)]
    }
    expect(planned(state('live'), 'data.d64', 'GAME.PRG', 'two.d81')).toEqual(['data.d64', 'GAME.PRG', 'two.d81'])
    expect(planned(state('live'), 'data.d64')).toEqual([undefined, 'data.d64'])
    expect(planned(state('live', null, 'No drives here.'), 'data.d64', 'game.prg')).toEqual([
      undefined,
      'data.d64',
      'game.prg',
    ])
  })
})
