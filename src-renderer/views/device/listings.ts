import { create } from 'zustand'
import type { MachineFile } from '@shared/contract/machineStorage'

interface Listing {
  readonly path: string
  readonly files: readonly MachineFile[]
}

const useListings = create<Readonly<Record<string, Listing>>>(() => ({}))

export function useListing(machine: string): [Listing | undefined, (listing: Listing) => void] {
  return [useListings((listings) => listings[machine]), (listing) => useListings.setState({ [machine]: listing })]
}
