import { create } from 'zustand'
import type { Output } from '@shared/contract/contract'

/** What runs this window; null until main has said it. */
export const useAppInfo = create<{ readonly app: Output<'window.info'>['app'] | null }>(() => ({ app: null }))
