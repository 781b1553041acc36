import { toFailure } from '@shared/contract/errors'
import { compareAndSwap } from '../files/compareAndSwap'

export interface Initialised {
  /** Without symbolic links. */
  readonly folder: string
  /** Relative to it. */
  readonly created: readonly string[]
  /** Those that were there already, and stay as they are. */
  readonly kept: readonly string[]
}

interface NewFiles {
  readonly created: string[]
  readonly kept: string[]
  create(path: string, text: string): Promise<void>
}

/** Makes files below a folder where there are none of their names. @param root links resolved */
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
