import { lstat, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, sep } from 'node:path'
import { agentClientTitles, type AgentClient } from '@shared/agentClients'
import type { Preview } from '@shared/contract/edits'
import { AppError, toFailure } from '@shared/contract/errors'
import { compareAndSwap, mergeAndSwap } from '../files/compareAndSwap'
import { containedPath } from '../files/containedPath'
import { describeFileError, isCode } from '../files/fileErrors'
import { readBounded } from '../files/readBounded'
import type { ActionPlan } from '../formats/edit/action'
import { signatureOf } from '../projects/edits/fieldChanges'
import { previewOf } from '../projects/edits/previewEdit'
import { clientFiles } from './clientFiles'
import type { ServerEntry } from './serverEntry'
import { withServer } from './servers'

export interface ClientChange {
  readonly client: AgentClient
  readonly project?: string | undefined
  /** Null to remove our server. */
  readonly server: ServerEntry | null
}

export interface WrittenClient {
  readonly file: string
  readonly warning: string | null
}

interface Place {
  readonly root: string
  /** Relative to the root, with `/`. */
  readonly file: string
  readonly shown: string
}

/** Claude Code keeps its history in the same file. */
const MAX_FILE_BYTES = 32 * 1024 * 1024

export class ClientConfiguration {
  readonly #environment: NodeJS.ProcessEnv
  readonly #home: string

  constructor(environment: NodeJS.ProcessEnv = process.env, home: string = homedir()) {
    this.#environment = environment
    this.#home = home
  }

  /** @throws AppError INVALID for a file that is broken or not the client's */
  async preview(change: ClientChange): Promise<{ readonly file: string; readonly preview: Preview }> {
    const place = await this.#place(change)
    const plan = planOf(place, await textAt(place), change)
    return { file: place.shown, preview: { ...previewOf(plan), token: signatureOf(plan) } }
  }

  /**
   * The file may have changed since the preview: Claude Code writes its own all the time.
   * @throws AppError CONFLICT where the change itself would differ from the preview
   */
  async write(change: ClientChange, token: string): Promise<WrittenClient> {
    const place = await this.#place(change)
    const { root, file, shown } = place
    const before = await textAt(place)
    const isShown = (now: string | null) => signatureOf(planOf(place, now, change)) === token
    if (!isShown(before)) throw conflict(shown)
    const [after] = planOf(place, before, change).changes.map((one) => one.after)
    if (after === undefined || after === null) return { file: shown, warning: null }
    const mode = change.project === undefined ? { mode: 0o600 } : {}
    const swapped =
      before === null
        ? await compareAndSwap({ file, before, after, ...mode }, { root })
        : await mergeAndSwap(
            file,
            (now) => (isShown(now) ? (planOf(place, now, change).changes[0]?.after ?? undefined) : undefined),
            { root },
          )
    if (!swapped) throw conflict(shown)
    const isDisturbed = (await swapped.aftermath) !== undefined
    return {
      file: shown,
      warning: isDisturbed ? 'Another program wrote the same file at the same time: check it.' : null,
    }
  }

  async #place({ client, project }: ClientChange): Promise<Place> {
    const { own, ofProject } = clientFiles[client]
    if (project !== undefined) {
      const root = await realpath(project).catch((error: unknown) => {
        throw describeFileError(error, project, 'read')
      })
      return { root, file: ofProject, shown: ofProject }
    }
    const path = own({ environment: this.#environment, home: this.#home, platform: process.platform })
    const shown = path.startsWith(this.#home + sep) ? `~${path.slice(this.#home.length)}` : path
    const { root, rest } = await deepestFolder(path, shown)
    return { root, file: rest.join('/'), shown }
  }
}

/** @throws AppError INVALID for a link that leads nowhere */
async function deepestFolder(path: string, shown: string): Promise<{ root: string; rest: readonly string[] }> {
  const rest: string[] = []
  for (let at = path; ; at = dirname(at)) {
    const real = await realpath(at).catch((error: unknown) => {
      if (isCode(error, 'ENOENT')) return undefined
      throw describeFileError(error, shown, 'read')
    })
    if (real !== undefined)
      return rest.length > 0 ? { root: real, rest } : { root: dirname(real), rest: [basename(real)] }
    if (await isLink(at))
      throw new AppError('INVALID', `${shown} was not changed: a link on its way leads nowhere.`, {
        hint: 'Make what the link names, or remove the link.',
      })
    rest.unshift(basename(at))
  }
}

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  )

async function textAt({ root, file, shown }: Place): Promise<string | null> {
  const path = await containedPath(file, { root })
  const bytes = await readBounded(path, MAX_FILE_BYTES, shown).catch((error: unknown) => {
    if (toFailure(error).code === 'NOT_FOUND') return null
    throw error
  })
  if (bytes === null) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new AppError('INVALID', `${shown} is not UTF-8 text, and is left as it is.`)
  }
}

function planOf({ shown }: Place, before: string | null, { client, project, server }: ClientChange): ActionPlan {
  const title = agentClientTitles[client]
  const after = withServer(clientFiles[client], before, server, shown)
  return {
    summary: `${server ? 'Added Bridgedeck to' : 'Removed Bridgedeck from'} ${title} (${shown})`,
    changes: before === after ? [] : [{ file: shown, before, after }],
    warnings:
      project === undefined || server === null
        ? []
        : ['The entry names a folder of this computer: do not commit the file for others.'],
  }
}

const conflict = (shown: string): AppError =>
  new AppError('CONFLICT', `Nothing was changed: the entry in ${shown} is not what it was in the preview.`, {
    hint: 'Look again at what would change.',
  })
