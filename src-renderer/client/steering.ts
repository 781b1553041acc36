import { create } from 'zustand'
import { AppError } from '@shared/contract/errors'
import type { Consent, SteeringQuestion, SteeringState } from '@shared/contract/steering'
import { call } from './call'
import { takeAnswer } from './events'
import { findMachine, useMachines } from './machines'
import { endMessages, notify, reportError } from './messages'

/** As `--click-guard`: a key that was on its way when a question came answers none. */
const ANSWER_GUARD_MS = 600

interface Steering extends SteeringState {
  readonly isAside: boolean
  /** The question that has been visible long enough to be answered. */
  readonly answerable: number | null
}

const nobody: SteeringState = { agents: [], questions: [], leases: [], left: [] }

export const useSteering = create<Steering>(() => ({ ...nobody, isAside: false, answerable: null }))

export const shownQuestion = ({ questions, isAside }: Steering): SteeringQuestion | undefined =>
  isAside ? undefined : questions[0]

export function receiveSteering(state: SteeringState): void {
  const newest = Math.max(0, ...useSteering.getState().questions.map(({ question }) => question))
  const isAnother = state.questions.some(({ question }) => question > newest)
  changeSteering({ ...state, ...(isAnother ? { isAside: false } : {}) })
}

function changeSteering(change: Partial<Steering>): void {
  const before = shownQuestion(useSteering.getState())?.question
  useSteering.setState(change)
  const shown = shownQuestion(useSteering.getState())?.question ?? null
  if (shown === before || (shown === null && before === undefined)) return
  useSteering.setState({ answerable: null })
  if (shown === null) return
  setTimeout(() => {
    if (shownQuestion(useSteering.getState())?.question === shown) useSteering.setState({ answerable: shown })
  }, ANSWER_GUARD_MS)
}

export const putQuestionsAside = (): void => changeSteering({ isAside: true })
export const showQuestions = (): void => changeSteering({ isAside: false })

export function readSteering(): void {
  takeAnswer('steering.changed', () => call('steering.state', {}), receiveSteering).catch(reportError)
}

/** Only once the question can have been read. Questions that were put aside are shown first. */
export async function answerAgent(consent: Consent): Promise<void> {
  const state = useSteering.getState()
  const shown = shownQuestion(state)
  if (!shown) {
    if (state.questions.length === 0) throw new AppError('CONFLICT', 'No agent asks for anything.')
    showQuestions()
    return
  }
  if (state.answerable === shown.question) await call('steering.answer', { question: shown.question, consent })
}

const front = (): string => useMachines.getState().front
const titleOf = (machine: string): string => findMachine(useMachines.getState(), machine)?.title ?? machine

export async function takeOver(): Promise<void> {
  const machine = front()
  await call('steering.takeOver', { machine })
  notify(`You steer ${titleOf(machine)}. Agents may look, not change.`, null, null, ABOUT_OWNER)
}

export async function handBack(): Promise<void> {
  const machine = front()
  const isTaken = useSteering.getState().leases.some((lease) => lease.machine === machine && lease.agent === null)
  if (!isTaken) throw new AppError('CONFLICT', `You have not taken over ${titleOf(machine)}.`)
  await call('steering.handBack', { machine })
  endMessages(ABOUT_OWNER)
}

const ABOUT_OWNER = 'who steers'
