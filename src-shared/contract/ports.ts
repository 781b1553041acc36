/**
 * What goes from the bridge to a page past main, each over a port of its own: what the machines show, what they sound like, and
 * the picture for the window that floats.
 */
export const planes = ['frames', 'audio', 'picture'] as const
export type Plane = (typeof planes)[number]
