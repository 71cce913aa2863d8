/** 204: nothing to say. Made by hand, since not every runtime takes an empty text for no body. */
export const noContent = (): Response => new Response(null, { status: 204 });
