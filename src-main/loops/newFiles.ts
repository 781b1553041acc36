import { toFailure } from '@shared/contract/errors'
import { compareAndSwap } from '../files/compareAndSwap'

export interface Initialised {
  readonly folder: string
  readonly created: readonly string[]
  readonly kept: readonly string[]
}

interface NewFiles {
  readonly created: string[]
  readonly kept: string[]
  create(path: string, text: string): Promise<void>
}

export function newFiles(root: string): NewFiles {
  const created: string[] = []
  const kept: string[] = []
  return {
    created,
    kept,
    async create(path, text) {
      try {
        await compareAndSwap({ file: path, before: null, after: text }, { root })
        created.push(path)
      } catch (error) {
        if (toFailure(error).code !== 'CONFLICT') throw error
        kept.push(path)
      }
    },
  }
}
