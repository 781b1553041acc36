import { describe, expect, it, vi } from 'vitest'
import type { ExportRequest } from '@shared/contract/recorder'
import { createRecorderHandlers } from './recorder'

async function suggestedFor(request: ExportRequest) {
  const save = vi.fn(() => Promise.resolve(undefined))
  const dialogs = { confirm: vi.fn(), open: vi.fn(), openFolder: vi.fn(), save }
  const handlers = createRecorderHandlers({ bridge: vi.fn(), dialogs })
  await handlers['recorder.export']({ recording: '0001_recording', request }, new AbortController().signal)
  return save.mock.calls
}

describe('an export of a recording', () => {
  it('suggests a file name with the byte that it is about', async () => {
    const calls = await suggestedFor({ format: 'csv', space: 'cpu', address: 0xa2, length: 1 })
    expect(calls).toEqual([['recording', expect.any(String), '0001_recording-00A2.csv', expect.any(Array)]])
  })

  it('of a picture is named after the recording alone', async () => {
    const calls = await suggestedFor({ format: 'png', subject: 'screen', time: 1 })
    expect(calls).toEqual([['recording', expect.any(String), '0001_recording.png', expect.any(Array)]])
  })
})
