/** A text without small letters is a listing: its letters are the keys alone, not the graphics on them. */
export const unshiftListing = (text: string): string => (/\p{Ll}/u.test(text) ? text : text.toLowerCase())
