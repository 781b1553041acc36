import {
  commands,
  commandTable,
  isCommandName,
  type CommandName,
  type Input,
  type OwnedBy,
  type Output,
} from '@shared/contract/contract'
import { AppError, toFailure, type Result } from '@shared/contract/errors'
import type { PageCommandName } from '@shared/contract/pageApi'
import { pageRequestSchema } from '@shared/contract/pageRequest'
import type { Plane } from '@shared/contract/ports'
import { parseWithoutMisfits } from '@shared/contract/withoutMisfits'
import { parseInput } from '../bridge/dispatcher'
import { exactCopies, sizeOf } from './exactCopies'
import { RateLimit } from './rateLimit'
import type { RunningBridge, Supervisor } from './supervisor'
import { isTrustedSender, type SenderFrame } from './trust'

export type MainHandlers = {
  readonly [Name in OwnedBy<'main'>]: (input: Input<Name>, signal: AbortSignal) => Promise<Output<Name>> | Output<Name>
}

export type BridgeCall = <Name extends OwnedBy<'bridge'>>(
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal,
) => Promise<Output<Name>>

export interface Question {
  readonly message: string
  readonly detail: string
  readonly button: string
}

export interface RouterOptions<Frame extends SenderFrame> {
  readonly handlers: MainHandlers
  readonly bridge: BridgeCall
  readonly confirm: (question: Question) => Promise<boolean>
  readonly connectPort: (frame: Frame, plane: Plane, nonce: string) => Promise<void>
  readonly filesDropped: (paths: readonly string[]) => void
  readonly log: { warn(message: string, cause?: unknown): void }
}

const isPageCommand = (name: CommandName): name is PageCommandName => commands[name].page
const isMainCommand = (name: CommandName): name is OwnedBy<'main'> => commands[name].owner === 'main'

/** The page has a few dozen at most; more would wait for each other until their deadlines. */
const MAX_RUNNING_CALLS = 100
const MAX_CALLS_PER_SECOND = 1_000
const MAX_CALL_BYTES = 2 * 1024 * 1024
const MAX_PICTURE_BYTES = 17 * 1024 * 1024
const largerCalls: Partial<Record<CommandName, number>> = {
  'window.savePicture': MAX_PICTURE_BYTES,
  'window.copyPicture': MAX_PICTURE_BYTES,
  'graphics.saveFile': MAX_PICTURE_BYTES,
  'window.copyText': 3 * 1024 * 1024,
  'window.saveText': 3 * 1024 * 1024,
}

export function bridgeCaller(
  supervisor: Pick<Supervisor<RunningBridge>, 'call'>,
  log: { warn(message: string): void },
): BridgeCall {
  return async (name, input, signal) => {
    const { output, deadline } = commandTable[name]
    const { value, left } = parseWithoutMisfits(output, await supervisor.call(name, input, deadline, signal))
    if (left.length > 0) log.warn(`of the answer to ${name}, what does not fit was left out: ${left.join('; ')}`)
    return value
  }
}

/**
 * Checks each request's sender, form, rate, command, size and input, in this order, before the user or a handler sees
 * it. Always resolves, with errors as data.
 */
export class Router<Frame extends SenderFrame> {
  readonly #options: RouterOptions<Frame>
  readonly #rate = new RateLimit(MAX_CALLS_PER_SECOND)
  readonly #running = new Set<AbortController>()
  readonly #byCallId = new Map<string, AbortController>()

  constructor(options: RouterOptions<Frame>) {
    this.#options = options
  }

  async handle(frame: Frame | null, request: unknown): Promise<Result<unknown>> {
    try {
      if (frame === null || !isTrustedSender(frame))
        throw new AppError('FORBIDDEN', 'Only Bridgedeck’s own page may call this.')
      return { ok: true, data: exactCopies(await this.#dispatch(frame, request)) }
    } catch (error) {
      if (!(error instanceof AppError)) this.#options.log.warn('a request of the page failed', error)
      else if (error.cause !== undefined) this.#options.log.warn(error.message, error.cause)
      return { ok: false, error: toFailure(error) }
    }
  }

  cancelAll(): void {
    for (const controller of this.#running) controller.abort()
  }

  async #dispatch(frame: Frame, raw: unknown): Promise<unknown> {
    const request = parseInput(pageRequestSchema, raw)
    if (
      !this.#rate.allows(request.kind === 'call' && isCommandName(request.command) ? request.command : request.kind)
    ) {
      throw new AppError('BUSY', 'Too many requests from the window.', { hint: 'Wait a second and try again.' })
    }
    switch (request.kind) {
      case 'call':
        return this.#call(request.command, request.input, request.callId)
      case 'cancel':
        this.#byCallId.get(request.callId)?.abort()
        return {}
      case 'connectPort':
        await this.#options.connectPort(frame, request.plane, request.nonce)
        return {}
      case 'filesDropped':
        this.#options.filesDropped(request.paths)
        return {}
    }
  }

  async #call(command: string, input: unknown, callId: string | undefined): Promise<unknown> {
    if (!isCommandName(command) || !isPageCommand(command)) {
      throw new AppError('FORBIDDEN', `The window may not call “${command}”.`)
    }
    if (this.#running.size >= MAX_RUNNING_CALLS) {
      throw new AppError('BUSY', `The call was not started: ${MAX_RUNNING_CALLS} calls of the window are running.`, {
        hint: 'Wait until one of them has finished.',
      })
    }
    const maxBytes = largerCalls[command] ?? MAX_CALL_BYTES
    if (sizeOf(input, maxBytes) > maxBytes) throw new AppError('INVALID', `${command} was called with too much data.`)
    if (callId !== undefined && this.#byCallId.has(callId))
      throw new AppError('INVALID', `The call id ${callId} is in use.`)
    const controller = new AbortController()
    this.#running.add(controller)
    if (callId !== undefined) this.#byCallId.set(callId, controller)
    try {
      return isMainCommand(command)
        ? await this.#runHere(command, await this.#admit(command, input), controller)
        : await this.#runInBridge(command, await this.#admit(command, input), controller.signal)
    } finally {
      this.#running.delete(controller)
      if (callId !== undefined) this.#byCallId.delete(callId)
    }
  }

  async #admit<Name extends CommandName>(name: Name, raw: unknown): Promise<Input<Name>> {
    const { input: schema, confirm } = commandTable[name]
    const input = parseInput(schema, exactCopies(raw))
    if (confirm && !(await this.#options.confirm(confirm(input)))) throw cancelled()
    return input
  }

  async #runInBridge<Name extends OwnedBy<'bridge'>>(
    name: Name,
    input: Input<Name>,
    signal: AbortSignal,
  ): Promise<Output<Name>> {
    return this.#options.bridge(name, input, signal)
  }

  async #runHere<Name extends OwnedBy<'main'>>(
    name: Name,
    input: Input<Name>,
    controller: AbortController,
  ): Promise<Output<Name>> {
    const { deadline } = commandTable[name]
    const { signal } = controller
    const late = new AppError('TIMEOUT', `${name} timed out after ${deadline / 1000} s.`)
    const timer = deadline > 0 ? setTimeout(() => controller.abort(late), deadline) : undefined
    try {
      return await untilAborted(this.#options.handlers[name](input, signal), signal)
    } finally {
      clearTimeout(timer)
    }
  }
}

function untilAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason instanceof AppError ? signal.reason : cancelled())
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort)
    void Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort))
  })
}

const cancelled = () => new AppError('CANCELLED', 'The call was cancelled.')
