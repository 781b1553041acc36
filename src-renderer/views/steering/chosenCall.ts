import { create } from 'zustand'

const useChoice = create<{ readonly call: number | null }>(() => ({ call: null }))

/** The call of the journal that is shown in full, by its number. */
export const useChosenCall = (): [number | null, (call: number) => void] => [
  useChoice(({ call }) => call),
  (call) => useChoice.setState({ call }),
]
