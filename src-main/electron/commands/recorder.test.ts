import { describe, expect, it, vi } from 'vitest'
import type { ExportRequest } from '@shared/contract/recorder'
import { Grants } from '../grants'
import { createRecorderHandlers } from './recorder'

async function suggestedFor(request: ExportRequest) {
  const save = vi.fn(() => Promise.resolve(undefined))
  const dialogs = { confirm: vi.fn(), confirmWith: vi.fn(), open: vi.fn(), openFolder: vi.fn(), save }
  const handlers = createRecorderHandlers({ bridge: vi.fn(), dialogs, grants: new Grants() })
  await handlers['recorder.export']({ recording: '0001_recording', request }, new AbortController().signal)
  return save.mock.calls
}

describe('an export of a recording', () => {
  const time = new Date(2026, 10, 23, 3, 2, 8, 464).getTime()

  it.each<[string, ExportRequest]>([
    ['0001_recording-cpu-00A2.csv', { format: 'csv', space: 'cpu', address: 0xa2, length: 1 }],
    ['0001_recording-io-03-02-08.464.bin', { format: 'raw', space: 'io', address: 0xd000, length: 0x1000, time }],
    ['0001_recording-screen-03-02-08.464.png', { format: 'png', subject: 'screen', time }],
    ['0001_recording-sprite7-03-02-08.464.png', { format: 'png', subject: { sprite: 7 }, time }],
    ['0001_recording-screen-animated.png', { format: 'apng', subject: 'screen', every: 2 }],
  ])('suggests %s, after what it is about', async (name, request) => {
    expect(await suggestedFor(request)).toEqual([['recording', expect.any(String), name, expect.any(Array)]])
  })
})
