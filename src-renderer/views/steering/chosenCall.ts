import { create } from 'zustand'

const useChoice = create<{ readonly call: number | null }>(() => ({ call: null }))

export const useChosenCall = (): [number | null, (call: number) => void] => [
  useChoice(({ call }) => call),
  (call) => useChoice.setState({ call }),
]
