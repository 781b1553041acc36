import { describe, expect, it } from 'vitest'
import { AppError, type ErrorCode } from '@shared/contract/errors'
import { createRecorderHandlers, type RecorderParts } from './handlers'

const mark = { machine: 'builtin', text: '@$d020 == 2', value: 1 }

/** @param outcomes of marking each recording; null where it is marked */
function marking(outcomes: Readonly<Record<string, ErrorCode | null>>) {
  const told: unknown[] = []
  const recorder: Pick<RecorderParts['recorder'], 'openOf' | 'addMark'> = {
    openOf: () => Object.keys(outcomes).map((id) => `/recordings/${id}/frames.db`),
    addMark: (file, { text, value }) => {
      const [code] = Object.entries(outcomes).flatMap(([id, code]) => (file.includes(`/${id}/`) ? [code] : []))
      if (code) return Promise.reject(new AppError(code, `It is ${code}.`))
      return Promise.resolve({ mark: 1, time: 1, text, value })
    },
  }
  const handlers = createRecorderHandlers({
    recorder: recorder as RecorderParts['recorder'],
    recordings: {} as unknown as RecorderParts['recordings'],
    emit: (_event, data) => void told.push(data),
  })
  const answer = Promise.resolve(handlers['recorder.markMachine'](mark, new AbortController().signal))
  return { answer, told }
}

describe('marking the recordings of a machine', () => {
  it.each(['CONFLICT', 'NOT_FOUND'] as const)('goes on where one cannot take the mark: %s', async (code) => {
    const { answer, told } = marking({ ended: code, open: null })
    expect(await answer).toEqual({ recordings: ['open'] })
    expect(told).toEqual([{ recording: 'open' }])
  })

  it('fails where none can take it, and at any other failure', async () => {
    await expect(marking({ ended: 'CONFLICT' }).answer).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(marking({ open: null, broken: 'INTERNAL' }).answer).rejects.toMatchObject({ code: 'INTERNAL' })
  })
})
