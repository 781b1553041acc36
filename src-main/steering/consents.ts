import { z } from 'zod'
import { AppError } from '@shared/contract/errors'
import { parseJson } from '@shared/json'
import {
  grantableRights,
  type Consent,
  type GrantableRight,
  type Right,
  type SteeringQuestion,
} from '@shared/contract/steering'
import { rightMeanings } from '@shared/rightMeanings'
import { cancelled } from '../machine/cancelled'
import type { NoteStore } from '../storage/notes'

/** Clients give up on a call after a minute. */
const ANSWER_WAIT_MS = 50_000

export interface Asking {
  readonly agent: number
  readonly name: string
  readonly colour: number
}

interface Open {
  readonly shown: SteeringQuestion
  readonly waiting: Set<(consent: Consent | 'gone') => void>
}

interface Grants {
  /** The name that the agent gives itself. A right granted for always holds for each agent of this name. */
  readonly knownAs: string
  readonly session: Set<GrantableRight>
  readonly once: Set<GrantableRight>
  readonly refused: Set<GrantableRight>
}

const rememberedSchema = z.array(z.enum(grantableRights))

interface ConsentOptions {
  readonly notes: Pick<NoteStore, 'get' | 'set' | 'delete'>
  readonly canAsk: boolean
  readonly onChanged: () => void
  readonly waitMs?: number
}

export class Consents {
  readonly #options: ConsentOptions
  readonly #grants = new Map<number, Grants>()
  readonly #open = new Map<number, Open>()
  #lastQuestion = 0

  constructor(options: ConsentOptions) {
    this.#options = options
  }

  get questions(): SteeringQuestion[] {
    return [...this.#open.values()].map(({ shown }) => shown)
  }

  join(agent: number, knownAs: string, granted: readonly GrantableRight[]): void {
    this.#grants.set(agent, { knownAs, session: new Set(granted), once: new Set(), refused: new Set() })
  }

  leave(agent: number): void {
    this.#grants.delete(agent)
    for (const { shown } of this.#open.values()) if (shown.agent === agent) this.#settle(shown.question, 'gone')
  }

  granted(agent: number): { right: GrantableRight; for: 'session' | 'always' }[] {
    const grants = this.#grants.get(agent)
    if (!grants) return []
    const always = this.#remembered(grants.knownAs)
    return grantableRights
      .filter((right) => always.includes(right) || grants.session.has(right))
      .map((right) => ({ right, for: always.includes(right) ? 'always' : 'session' }))
  }

  refused(agent: number): GrantableRight[] {
    return [...(this.#grants.get(agent)?.refused ?? [])]
  }

  /**
   * @param text what the agent wants to do
   * @throws AppError FORBIDDEN where it may not, BUSY where the person does not answer
   */
  async require(asking: Asking, right: Right, text: string, signal: AbortSignal): Promise<void> {
    if (right === 'look' || this.granted(asking.agent).some((granted) => granted.right === right)) return
    const grants = this.#grants.get(asking.agent)
    if (grants?.once.delete(right)) return
    if (!this.#options.canAsk)
      throw new AppError('FORBIDDEN', `You may not ${rightMeanings[right]}.`, {
        hint: `Ask the person to allow it: they start the server with “--allow ${right}”.`,
        details: { askFor: right },
      })
    if (!grants || grants.refused.has(right)) throw refused(right)
    const consent = await this.#answer(asking, right, text, signal)
    if (consent === 'refuse' || consent === 'gone') throw refused(right)
  }

  /** @throws AppError NOT_FOUND where it is answered already, or its agent has left */
  answer(question: number, consent: Consent): void {
    const open = this.#open.get(question)
    if (!open) throw new AppError('NOT_FOUND', 'The agent does not wait for this answer any more.')
    const { agent, right } = open.shown
    const grants = this.#grants.get(agent)
    if (consent === 'session' || consent === 'always') this.grant(agent, right, consent)
    if (consent === 'refuse') grants?.refused.add(right)
    if (consent === 'once' && open.waiting.size === 0) grants?.once.add(right)
    this.#settle(question, consent)
  }

  grant(agent: number, right: GrantableRight, duration: 'session' | 'always'): void {
    const grants = this.#grants.get(agent)
    if (!grants) return
    const { knownAs, refused, session } = grants
    refused.delete(right)
    session.add(right)
    if (duration === 'always') this.#remember(knownAs, [...new Set([...this.#remembered(knownAs), right])])
    for (const { shown } of this.#open.values())
      if (shown.agent === agent && shown.right === right) this.#settle(shown.question, duration)
    this.#options.onChanged()
  }

  /** @throws AppError FORBIDDEN where there is a window to ask in */
  requireNoWindow(): void {
    if (this.#options.canAsk) throw new AppError('FORBIDDEN', 'Bridgedeck’s window asks the person.')
  }

  revoke(agent: number, right: GrantableRight): void {
    const grants = this.#grants.get(agent)
    if (!grants) return
    const { knownAs, session, once, refused } = grants
    for (const set of [session, once, refused]) set.delete(right)
    const always = this.#remembered(knownAs)
    const kept = always.filter((other) => other !== right)
    if (kept.length < always.length) this.#remember(knownAs, kept)
    this.#options.onChanged()
  }

  async #answer({ agent, name, colour }: Asking, right: GrantableRight, text: string, signal: AbortSignal) {
    if (signal.aborted) throw cancelled()
    let open = [...this.#open.values()].find(({ shown }) => shown.agent === agent && shown.right === right)
    if (!open) {
      const question = ++this.#lastQuestion
      open = { shown: { question, agent, name, colour, right, text, since: Date.now() }, waiting: new Set() }
      this.#open.set(question, open)
      this.#options.onChanged()
    }
    const { waiting } = open
    return new Promise<Consent | 'gone'>((resolve, reject) => {
      const settle = (done: () => void) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        waiting.delete(onConsent)
        done()
      }
      const onConsent = (consent: Consent | 'gone') => settle(() => resolve(consent))
      const onAbort = () => settle(() => reject(cancelled()))
      const timer = setTimeout(() => settle(() => reject(unanswered())), this.#options.waitMs ?? ANSWER_WAIT_MS)
      signal.addEventListener('abort', onAbort, { once: true })
      waiting.add(onConsent)
    })
  }

  #settle(question: number, consent: Consent | 'gone'): void {
    const open = this.#open.get(question)
    this.#open.delete(question)
    for (const waiting of open?.waiting ?? []) waiting(consent)
    this.#options.onChanged()
  }

  #remembered(name: string): GrantableRight[] {
    const text = this.#options.notes.get(noteOf(name))
    if (text === undefined) return []
    return rememberedSchema.safeParse(parseJson(text, 'the rights of an agent')).data ?? []
  }

  #remember(name: string, always: readonly GrantableRight[]): void {
    if (always.length === 0) this.#options.notes.delete(noteOf(name))
    else this.#options.notes.set(noteOf(name), JSON.stringify(always))
  }
}

const noteOf = (name: string): string => `steering.always:${name}`

const refused = (right: GrantableRight): AppError =>
  new AppError('FORBIDDEN', `The person does not allow you to ${rightMeanings[right]}.`, {
    hint: 'Go on without it, or tell them what you need it for.',
  })

const unanswered = (): AppError =>
  new AppError('BUSY', 'The person has not answered yet: Bridgedeck’s window asks them to allow it.', {
    hint: 'Tell them, then try again.',
  })
