import { MAX_NAME_LENGTH } from '@shared/contract/steering'
import type { CommandContext, SessionSource } from '../command'
import type { Allowed } from './allowed'
import { SteeredCalls } from './steeredCalls'

/** The one place where an agent or a script becomes a client of the bridge: each has a connection of its own. */
export class AgentSession {
  /** What its calls run in, but for their output. */
  readonly context: Omit<CommandContext, 'output' | 'signal'>
  readonly steered: SteeredCalls
  readonly #sessions: SessionSource
  readonly #name: () => string

  /**
   * @param name asked for when the bridge is first reached: an agent tells it only when it introduces itself
   * @param waits whether it waits for a machine that another one has
   */
  constructor(
    context: Omit<CommandContext, 'output' | 'signal'>,
    { granted, folders }: Allowed,
    name: () => string,
    waits = false,
  ) {
    const sessions = context.ownSessions()
    this.#sessions = sessions
    this.#name = name
    // One in the background stays when this process ends, so that what an agent began goes on.
    this.steered = new SteeredCalls(
      (taskHome) => sessions.open(taskHome, 'untilIdle'),
      () => ({ name: this.name, granted, folders: folders.names, waits }),
    )
    this.context = {
      ...context,
      openSession: this.steered.openSession,
      findSession: () => sessions.find(),
    }
  }

  /** As it calls itself: one line, cut where it is long. */
  get name(): string {
    return shownName(this.#name())
  }

  close(): Promise<void> {
    return this.#sessions.close()
  }
}

/** A name that a stranger gave, fit to be shown. */
export const shownName = (given: string): string =>
  given
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, MAX_NAME_LENGTH) || 'agent'
