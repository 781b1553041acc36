import type { Loop } from '@shared/contract/loops'

/** It has not ended yet. */
export const isActive = ({ state }: Loop): boolean => state === 'running' || state === 'pausing' || state === 'stopping'
