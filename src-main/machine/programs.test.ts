import { describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { checkSong } from './programs'

describe('a song number', () => {
  const player = { run: () => Promise.resolve(), choosesSongs: true }
  const emulator = { run: () => Promise.resolve() }
  const codeOf = (song: number | undefined, name: string, programs: typeof emulator): unknown => {
    try {
      checkSong(song, name, programs)
      return null
    } catch (error) {
      return error instanceof AppError ? error.code : error
    }
  }

  it('is for SID files on machines that choose among songs', () => {
    expect(codeOf(2, 'tune.SID', player)).toBeNull()
    expect(codeOf(2, 'game.prg', player)).toBe('INVALID')
    expect(codeOf(2, 'tune.sid', emulator)).toBe('UNSUPPORTED')
    expect(codeOf(undefined, 'game.prg', emulator)).toBeNull()
  })
})
