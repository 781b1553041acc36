import { create } from 'zustand'
import type { Output } from '@shared/contract/contract'

export const useAppInfo = create<{ readonly app: Output<'window.info'>['app'] | null }>(() => ({ app: null }))
