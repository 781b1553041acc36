import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, sep } from 'node:path'
import type { Input, Output } from '@shared/contract/contract'
import type { Preview } from '@shared/contract/edits'
import { AppError } from '@shared/contract/errors'
import { compareAndSwap } from '../../../files/compareAndSwap'
import { containedPath } from '../../../files/containedPath'
import { readBounded } from '../../../files/readBounded'
import type { ActionPlan } from '../../../formats/edit/action'
import { hooksIn, installHooks, removeHooks } from '../../../formats/maestro/hooks/hooksFile'
import { previewOf, tokenOf } from '../../../projects/edits/previewEdit'
import { extensionFolder } from '../stateFiles'

const SETTINGS = '.gemini/settings.json'
const MAX_FILE_BYTES = 1024 * 1024

type Change = Input<'loops.previewOwnHooks'>
type Written = Output<'loops.undoOwnHooks'>

export class OwnHooks {
  readonly #environment: NodeJS.ProcessEnv
  readonly #home: string
  #undoing: { readonly before: string; readonly after: string | null } | null = null

  constructor(environment: NodeJS.ProcessEnv = process.env, home: string = homedir()) {
    this.#environment = environment
    this.#home = home
  }

  async found(): Promise<Output<'loops.hookDecisions'>['own']> {
    const files = [join(this.#home, SETTINGS), join(extensionFolder(this.#environment), 'hooks/hooks.json')]
    const found = await Promise.all(
      files.map(async (file) => ({
        file: file.startsWith(this.#home + sep) ? `~${file.slice(this.#home.length)}` : file,
        events: hooksIn(file, await textOf(file).catch(() => '')).map(({ event }) => event),
      })),
    )
    return found.filter(({ events }) => events.length > 0)
  }

  async preview(change: Change): Promise<Preview> {
    return previewOf(await this.#plan(change))
  }

  /** @throws AppError CONFLICT where it is no longer what was shown */
  async write({ token, ...change }: Change & { readonly token: string }): Promise<Written> {
    const plan = await this.#plan(change)
    const [{ before, after } = { before: null, after: null }] = plan.changes
    if (tokenOf(plan) !== token || after === null)
      throw new AppError('CONFLICT', `Nothing was changed: ~/${SETTINGS} is not what it was in this preview.`, {
        hint: 'Look again at what would change.',
      })
    const written = await this.#swap(before, after)
    this.#undoing = { before: after, after: before }
    return written
  }

  /** @throws AppError NOT_FOUND, or CONFLICT where another program changed the file since */
  async undo(): Promise<Written> {
    if (!this.#undoing) throw new AppError('NOT_FOUND', `There is no change of ~/${SETTINGS} to undo.`)
    const { before, after } = this.#undoing
    const written = await this.#swap(before, after)
    this.#undoing = null
    return written
  }

  async #plan({ action, format }: Change): Promise<ActionPlan> {
    const path = await containedPath(SETTINGS, { root: await realpath(this.#home), isStrict: true })
    const before = existsSync(path) ? await textOf(path) : null
    const shown = `~/${SETTINGS}`
    const after =
      action === 'install' ? installHooks(shown, before, format) : before === null ? null : removeHooks(shown, before)
    return {
      summary: `${action === 'install' ? 'Installed the hooks in' : 'Removed the hooks from'} ${shown}`,
      changes: before === after ? [] : [{ file: shown, before, after }],
      warnings: [],
    }
  }

  async #swap(before: string | null, after: string | null): Promise<Written> {
    const root = await realpath(this.#home)
    const { aftermath } = await compareAndSwap({ file: SETTINGS, before, after }, { root, isStrict: true })
    const isDisturbed = (await aftermath) !== undefined
    return {
      file: `~/${SETTINGS}`,
      warning: isDisturbed ? 'Another program wrote the same file at the same time: check it.' : null,
    }
  }
}

/** @throws AppError for what is no file or too large for settings */
const textOf = async (file: string): Promise<string> =>
  new TextDecoder().decode(await readBounded(file, MAX_FILE_BYTES))
