import type { Input, Output } from '@shared/contract/contract'
import { fromFailure } from '@shared/contract/errors'
import type { PageCommand, PageCommandName } from '@shared/contract/pageApi'

interface CallOptions {
  /** Aborting it ends the call with `CANCELLED`. */
  readonly signal?: AbortSignal
}

function commandFunction<Name extends PageCommandName>(name: Name): PageCommand<Name> {
  const [area = '', verb = ''] = name.split('.')
  // PageApi is made from the same names; TypeScript cannot follow the split.
  const areas = window.bridgedeck as unknown as Record<string, Record<string, PageCommand<Name>>>
  const command = areas[area]?.[verb]
  if (!command) throw new Error(`The window's bridge has no command ${name}.`)
  return command
}

/** @throws AppError when it fails, is cancelled or passes its deadline */
export async function call<Name extends PageCommandName>(
  name: Name,
  input: Input<Name>,
  { signal }: CallOptions = {},
): Promise<Output<Name>> {
  const callId = crypto.randomUUID()
  const cancel = () => window.bridgedeck.cancel(callId)
  signal?.throwIfAborted()
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    const result = await commandFunction(name)(input, callId)
    if (!result.ok) throw fromFailure(result.error)
    return result.data
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}
