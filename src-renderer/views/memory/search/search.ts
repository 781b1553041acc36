import { create } from 'zustand'
import { parseAddressRange, parseTypedAddress, type AddressRange } from '@shared/c64/address'
import type { SearchKind } from '@shared/c64/search/searchMemory'
import { toFailure, type Failure } from '@shared/contract/errors'
import type { Output } from '@shared/contract/contract'
import type { Space } from '@shared/contract/memory'
import { namesNow } from '../../../client/labels'
import { call } from '../../../client/call'

export interface Found extends Output<'memory.search'> {
  readonly machine: string
  readonly space: Space
}

interface Search {
  readonly query: string
  /** As typed; empty for all memory. */
  readonly range: string
  readonly label: string
  readonly opened: number
  readonly isSearching: boolean
  readonly failure: Failure | null
  readonly found: Found | null
}

export const useSearch = create<Search>(() => ({
  query: '',
  range: '',
  label: '',
  opened: 0,
  isSearching: false,
  failure: null,
  found: null,
}))

interface Where {
  readonly machine: string
  readonly space: Space
  readonly kind: SearchKind
}

let latest = 0

/** Drops an answer that a newer search has overtaken. */
export async function searchNow({ machine, space, kind }: Where): Promise<void> {
  const { query, range } = useSearch.getState()
  const search = ++latest
  useSearch.setState({ isSearching: true, failure: null })
  try {
    const { start: address, end } = typedRange(range)
    const where = { machine, space, address, length: end - address }
    const answer = await call('memory.search', { ...where, kind, query })
    if (search === latest) useSearch.setState({ found: { machine, space, ...answer } })
  } catch (error) {
    if (search === latest) useSearch.setState({ failure: toFailure(error) })
  } finally {
    if (search === latest) useSearch.setState({ isSearching: false })
  }
}

/**
 * All memory for an empty text.
 * @throws AppError INVALID
 */
export const typedRange = (range: string): AddressRange =>
  range.trim() === '' ? { start: 0, end: 0x10000 } : parseAddressRange(range, parseTypedAddress, namesNow())
