import { create } from 'zustand'
import { AppError, toFailure, describeFailure } from '@shared/contract/errors'

/** A message to the person. Errors stay until dismissed or replaced; notices go by themselves. */
interface Message {
  readonly id: number
  readonly kind: 'error' | 'notice'
  readonly text: string
  readonly hint: string | null
  /** How often it was said while it stood there. */
  readonly count: number
  /** ms since 1970. */
  readonly time: number
  /** What can be done about it at once. */
  readonly offer: Offer | null
  /** What it is about, such as `task dump-1`; it ends with that. Null where it stands for itself. */
  readonly about: string | null
  /** Words of it that open what they name. */
  readonly links: readonly MessageLink[]
}

export interface MessageLink {
  readonly text: string
  readonly open: () => void
}

/** What a message may have besides its text. */
interface MessageParts {
  readonly hint?: string | null
  readonly offer?: Offer | null
  readonly about?: string | null
  readonly links?: readonly MessageLink[]
}

interface Offer {
  readonly label: string
  readonly run: () => void
}

interface Messages {
  /** Those on the screen now, oldest first. */
  readonly open: readonly Message[]
  /** The last ones, newest first, for reading up on them. */
  readonly history: readonly Message[]
  /** Errors that gave way to newer messages before anyone dismissed them, until the history is read. */
  readonly missedErrors: number
}

/** More would cover what the person works on; the older ones are in the history. */
const MAX_OPEN = 3
const MAX_HISTORY = 50
const NOTICE_MS = 6000
const OFFER_MS = 30_000
/** How soon a message goes that was read beyond its time, ms. */
const READ_POLL_MS = 1000

export const useMessages = create<Messages>(() => ({ open: [], history: [], missedErrors: 0 }))

let nextId = 1

function show(
  kind: Message['kind'],
  text: string,
  { hint = null, offer = null, about = null, links = [] }: MessageParts,
): void {
  const id = nextId++
  useMessages.setState(({ open, history, missedErrors }) => {
    // The same thing said again replaces the first, so that a failing repetition does not fill the window; but what each of
    // two equal notices offers, such as to undo its own change, is something else.
    const same = kind === 'notice' && offer ? undefined : open.find((other) => other.text === text)
    const count = (same?.count ?? 0) + 1
    const message: Message = { id, kind, text, hint, count, time: Date.now(), offer, about, links }
    const all = [...open.filter((other) => other !== same), message]
    return {
      open: all.slice(-MAX_OPEN),
      missedErrors: missedErrors + all.slice(0, -MAX_OPEN).filter((missed) => missed.kind === 'error').length,
      history: [message, ...history.filter(({ id }) => id !== same?.id)].slice(0, MAX_HISTORY),
    }
  })
  if (kind === 'notice') setTimeout(() => expire(id), offer ? OFFER_MS : NOTICE_MS)
}

let areRead = () => false

/** While messages are read, or one of their buttons is about to be pressed, none goes by itself. */
export function holdMessagesWhile(read: () => boolean): void {
  areRead = read
}

function expire(id: number): void {
  if (areRead()) setTimeout(() => expire(id), READ_POLL_MS)
  else dismiss(id)
}

export function dismiss(id: number): void {
  useMessages.setState(({ open }) => ({ open: open.filter((message) => message.id !== id) }))
}

/** What these messages are about is over, or is tried again. */
export function endMessages(about: string): void {
  const { open } = useMessages.getState()
  if (open.some((message) => message.about === about))
    useMessages.setState({ open: open.filter((message) => message.about !== about) })
}

/** The history is looked at. */
export const readHistory = (): void => useMessages.setState({ missedErrors: 0 })

export const dismissAll = (): void => useMessages.setState({ open: [] })

export const notify = (
  text: string,
  hint: string | null = null,
  offer: Offer | null = null,
  about: string | null = null,
  links: readonly MessageLink[] = [],
): void => show('notice', text, { hint, offer, about, links })

/** Stands until it is dismissed. */
export const warn = (
  text: string,
  hint: string | null,
  offer: Offer | null,
  links: readonly MessageLink[] = [],
): void => show('error', text, { hint, offer, links })

/** Shows an error with what to do about it; what the person cancelled is no error. */
export function reportError(error: unknown, about: string | null = null): void {
  const { code, message, hint } = toFailure(error)
  if (code === 'CANCELLED') return
  if (!(error instanceof AppError)) console.error(error)
  show('error', message, { hint: hint ?? null, about })
}

/** What went wrong, and what to do about it. */
export const describeError = (error: unknown): string => describeFailure(toFailure(error))

/** Carries out an action started by the person; what goes wrong is shown, until what it is about is tried again. */
export function attempt(action: () => Promise<unknown>, about: string | null = null): void {
  if (about !== null) endMessages(about)
  const report = (error: unknown) => reportError(error, about)
  try {
    action().catch(report)
  } catch (error) {
    report(error)
  }
}
