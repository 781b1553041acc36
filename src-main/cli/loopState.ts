import type { Loop } from '@shared/contract/loops'

/** Whether the loop has not ended yet. */
export const isActive = ({ state }: Loop): boolean => state === 'running' || state === 'pausing' || state === 'stopping'
