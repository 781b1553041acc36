/** 985,248 Hz / (63 cycles x 312 lines), and 1,022,727 Hz / (65 x 263). */
export const framesPerSecond = { pal: 50.125, ntsc: 59.826 } as const
