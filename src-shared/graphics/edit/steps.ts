export interface Steps<Step> {
  readonly done: readonly Step[]
  readonly undone: readonly Step[]
}

const MAX_STEPS = 500

export const withStep = <Step>({ done }: Steps<Step>, step: Step): Steps<Step> => ({
  done: [...done, step].slice(-MAX_STEPS),
  undone: [],
})

export const withUndone = <Step>({ done, undone }: Steps<Step>): Steps<Step> => ({
  done: done.slice(0, -1),
  undone: [...undone, ...done.slice(-1)],
})

export const withRedone = <Step>({ done, undone }: Steps<Step>): Steps<Step> => ({
  done: [...done, ...undone.slice(-1)],
  undone: undone.slice(0, -1),
})
