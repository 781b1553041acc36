import { create } from 'zustand'
import { AppError, toFailure, describeFailure } from '@shared/contract/errors'

/** Errors stay until they are dismissed or replaced; notices go by themselves. */
interface Message {
  readonly id: number
  readonly kind: 'error' | 'notice'
  readonly text: string
  readonly hint: string | null
  readonly count: number
  /** ms since 1970. */
  readonly time: number
  readonly offer: Offer | null
  /** What the message is about, such as `task dump-1`: it ends with that. Null for nothing. */
  readonly about: string | null
  readonly links: readonly MessageLink[]
}

export interface MessageLink {
  readonly text: string
  readonly open: () => void
}

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
  /** Oldest first. */
  readonly open: readonly Message[]
  /** Newest first. */
  readonly history: readonly Message[]
  readonly missedErrors: number
}

/** More would cover the person's work; the older ones are in the history. */
const MAX_OPEN = 3
const MAX_HISTORY = 50
const NOTICE_MS = 6000
const OFFER_MS = 30_000
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
    // A repeated message replaces the first, so that a failing repetition does not fill the window. Notices with an
    // offer stay apart, as each may undo its own change.
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

export function endMessages(about: string): void {
  const { open } = useMessages.getState()
  if (open.some((message) => message.about === about))
    useMessages.setState({ open: open.filter((message) => message.about !== about) })
}

export const readHistory = (): void => useMessages.setState({ missedErrors: 0 })

export const dismissAll = (): void => useMessages.setState({ open: [] })

export const notify = (
  text: string,
  hint: string | null = null,
  offer: Offer | null = null,
  about: string | null = null,
  links: readonly MessageLink[] = [],
): void => show('notice', text, { hint, offer, about, links })

export const warn = (
  text: string,
  hint: string | null,
  offer: Offer | null,
  links: readonly MessageLink[] = [],
): void => show('error', text, { hint, offer, links })

/** What the person cancelled is not shown as an error. */
export function reportError(error: unknown, about: string | null = null): void {
  const { code, message, hint } = toFailure(error)
  if (code === 'CANCELLED') return
  if (!(error instanceof AppError)) console.error(error)
  show('error', message, { hint: hint ?? null, about })
}

export const describeError = (error: unknown): string => describeFailure(toFailure(error))

/** Errors are shown, until what they are about is tried again. */
export function attempt(action: () => Promise<unknown>, about: string | null = null): void {
  if (about !== null) endMessages(about)
  const report = (error: unknown) => reportError(error, about)
  try {
    action().catch(report)
  } catch (error) {
    report(error)
  }
}
