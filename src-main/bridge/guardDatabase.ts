import { existsSync } from 'node:fs'
import { toFailure } from '@shared/contract/errors'
import { DataFolderGone, type OwnDatabase } from '../storage/ownDatabase'
import { takeRepairNotice } from '../storage/repair'
import type { BridgeOptions, Emit } from './bridgeParts'

/** Polled, as no file system reports for certain that a file was removed. */
const LOOK_MS = 2_000

/** ms; a background bridge without its folder for so long ends, as nobody can call it any more, not even to stop it. */
const GONE_MS = 60_000

export interface DatabaseGuard {
  readonly begin: () => void
  readonly close: () => void
}

export function guardDatabase(
  database: OwnDatabase,
  { lifetime, background, log }: BridgeOptions,
  emit: Emit,
): DatabaseGuard {
  const ending = new AbortController()
  let wasThere = true
  let hasListened = false
  let looksGone = 0
  const say = ({ message, hint = null }: { readonly message: string; readonly hint?: string | null | undefined }) => {
    log([message, hint].filter(Boolean).join(' '))
    emit('machine.notice', { message, hint })
  }
  const sayRepair = () => {
    const notice = takeRepairNotice(database)
    if (notice) say(notice)
  }
  const look = () => {
    const isThere = database.isThere
    const isListening = background?.listensAt !== undefined && existsSync(background.listensAt)
    hasListened ||= isListening
    if (wasThere && !isThere) say(toFailure(new DataFolderGone(database.folder)))
    wasThere = isThere
    looksGone = hasListened && !isListening ? looksGone + 1 : 0
    if (background && looksGone === GONE_MS / LOOK_MS) {
      log('The bridge ends, as nobody can reach it any more.')
      background.onStop()
    }
  }
  const looking = lifetime === 'call' ? undefined : setInterval(look, LOOK_MS).unref()
  if (lifetime !== 'call')
    database.check(ending.signal).catch((error: unknown) => {
      if (!ending.signal.aborted) log('The database could not be looked through', error)
    })
  return {
    begin: () => {
      if (lifetime !== 'window') return
      sayRepair()
      // Deferred, so that the code that met the damage goes on first.
      database.onReopened = () => setImmediate(sayRepair)
    },
    close: () => {
      ending.abort()
      clearInterval(looking)
      database.onReopened = undefined
    },
  }
}
