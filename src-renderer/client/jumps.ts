import { notify } from './messages'

interface Jump {
  readonly go: () => void
  readonly goBack: () => void
}

const MAX_JUMPS = 100

let done: readonly Jump[] = []
let undone: readonly Jump[] = []

export function jump(next: Jump): void {
  done = [...done.slice(1 - MAX_JUMPS), next]
  undone = []
  next.go()
}

export function jumpBack(): void {
  const last = done.at(-1)
  if (last === undefined) {
    notify('There is no earlier place to go back to.')
    return
  }
  done = done.slice(0, -1)
  undone = [...undone, last]
  last.goBack()
}

export function jumpForward(): void {
  const next = undone.at(-1)
  if (next === undefined) {
    notify('There is no later place to go to.')
    return
  }
  undone = undone.slice(0, -1)
  done = [...done, next]
  next.go()
}
