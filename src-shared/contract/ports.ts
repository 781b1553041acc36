/** What goes from the bridge to the page past main, each over a port of its own: what the machines show, and what they sound like. */
export const planes = ['frames', 'audio'] as const
export type Plane = (typeof planes)[number]
