export const planes = ['frames', 'audio', 'picture'] as const
export type Plane = (typeof planes)[number]
