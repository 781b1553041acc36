/** In a hint of a loop; the window makes a link of it. */
export const SEE_LOG = 'See the agent’s log.'
