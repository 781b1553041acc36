import { create } from 'zustand'
import { AppError } from '@shared/contract/errors'
import type { MachineState } from '@shared/contract/machine'

/** The password itself is never kept here. */
export interface PasswordQuestion {
  readonly machine: string
  readonly reason: string
  readonly answered: (state: MachineState) => void
  readonly dismissed: () => void
}

export const useQuestions = create<{ readonly questions: readonly PasswordQuestion[] }>(() => ({ questions: [] }))

/**
 * Asks until a password connects the machine. One question per machine, shared by all who ask. Rejects with CANCELLED
 * when the person does not want to.
 */
export function askPassword(machine: string, reason: string): Promise<MachineState> {
  return new Promise((resolve, reject) => {
    const close = () =>
      useQuestions.setState(({ questions }) => ({ questions: questions.filter((other) => other !== question) }))
    const question: PasswordQuestion = {
      machine,
      reason,
      answered: (state) => {
        close()
        for (const other of useQuestions.getState().questions) if (other.machine === machine) other.answered(state)
        resolve(state)
      },
      dismissed: () => {
        close()
        for (const other of useQuestions.getState().questions) if (other.machine === machine) other.dismissed()
        reject(new AppError('CANCELLED', `${machine} was given no password.`))
      },
    }
    useQuestions.setState(({ questions }) => ({ questions: [...questions, question] }))
  })
}
