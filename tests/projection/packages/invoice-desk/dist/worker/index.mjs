export default async () => ({ ok: true });
