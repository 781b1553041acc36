import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '@shared/contract/errors'
import { AgentSession, shownName } from '../mcp/agentSession'
import { Answers } from '../mcp/answers'
import { operationOf, runTool, type ToolAnswer } from '../mcp/runTool'
import { tools } from '../mcp/tools'
import type { Tool } from '../mcp/tool'
import { didYouMean } from '../nearestName'
import { ClientTable } from './clientTable'
import type { Limits } from './limits'
import { readJson } from './readBody'
import { notThere, ownHeaders, Refusal, sendJson, toRefusal } from './refusal'
import type { Served } from './served'

const PNG = 'image/png'
const NAME_HEADER = 'bridgedeck-name'
const USUAL_NAME = 'script'

export function callerName({ headers, url = '' }: IncomingMessage): string {
  const given = headers[NAME_HEADER] ?? new URLSearchParams(url.replace(/^[^?]*/, '')).get('name')
  return shownName(typeof given === 'string' ? given : USUAL_NAME)
}

/** Scripts of one name share a client of the bridge. */
class ApiCaller {
  readonly answers = new Answers()
  readonly agent: AgentSession

  constructor({ context, allowed }: Served, name: string) {
    this.agent = new AgentSession(context, allowed, () => name, true)
  }

  close(): Promise<void> {
    return this.agent.close()
  }
}

export class ApiEndpoint {
  readonly #served: Served
  readonly #limits: Limits
  readonly #callers: ClientTable<ApiCaller>

  constructor(served: Served, limits: Limits) {
    this.#served = served
    this.#limits = limits
    this.#callers = new ClientTable({
      what: 'scripts',
      max: limits.callers,
      maxRunning: limits.requestsOfOne,
      idleMs: limits.idleMs,
    })
  }

  /** @throws Refusal, or what the operation failed with */
  async handle(request: IncomingMessage, response: ServerResponse, [toolName = '', op = '']: readonly string[]) {
    const tool = toolOf(toolName, op)
    if (request.method !== 'POST')
      throw new Refusal(405, new AppError('INVALID', 'Operations are called with POST.'), { Allow: 'POST' })
    const name = callerName(request)
    const caller = this.#callers.get(name) ?? this.#add(name)
    const end = this.#callers.begin(name)
    response.once('close', end)
    const given = await readJson(request, this.#limits.bodyBytes)
    if (given !== undefined && !isObject(given)) throw new AppError('INVALID', 'The body of a call is a JSON object.')
    const answer = await runTool({
      tool,
      given: { ...given, op, raw: true },
      allowed: this.#served.allowed,
      answers: caller.answers,
      steered: caller.agent.steered,
      context: { ...caller.agent.context, signal: abandoned(response) },
      onProgress: () => undefined,
    })
    sendAnswer(response, answer, request.headers.accept?.includes(PNG) === true)
  }

  closeAll(): Promise<void> {
    return this.#callers.closeAll()
  }

  #add(name: string): ApiCaller {
    const caller = new ApiCaller(this.#served, name)
    this.#callers.add(name, caller)
    return caller
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws Refusal */
function toolOf(name: string, op: string): Tool {
  const tool = tools.find((known) => known.name === name)
  if (!tool) {
    const names = tools.map((known) => known.name)
    throw notThere(`There is no tool “${name.slice(0, 40)}”.${didYouMean(name, names)}`)
  }
  try {
    operationOf(tool, op)
  } catch (error) {
    throw notThere(toRefusal(error).failure.message)
  }
  return tool
}

function abandoned(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  const abort = (): void => {
    if (!response.writableFinished) gone.abort(new AppError('CANCELLED', 'The caller has gone.'))
  }
  if (response.closed) abort()
  else response.once('close', abort)
  return gone.signal
}

function sendAnswer(response: ServerResponse, answer: ToolAnswer, asPicture: boolean): void {
  const { text, more, data, picture, isError, failure } = answer
  if (failure) {
    const { code, message, hint } = failure
    throw new AppError(code, message, hint === undefined ? {} : { hint })
  }
  if (asPicture && picture) {
    response.writeHead(200, { ...ownHeaders, 'Content-Type': PNG, 'Content-Length': picture.byteLength })
    response.end(picture)
    return
  }
  sendJson(response, 200, {
    text,
    ...(more === null ? {} : { more }),
    data: data ?? {},
    ...(picture ? { picture: Buffer.from(picture).toString('base64') } : {}),
    ...(isError ? { failed: true } : {}),
  })
}
