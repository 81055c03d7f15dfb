import { type Catalog, createCatalog, type Tool } from "@setwise/core";

function tool(name: string, description: string, parameters: Readonly<Record<string, string>>, server: string): Tool {
  const properties = Object.fromEntries(
    Object.entries(parameters).map(([parameter, text]) => [parameter, { type: "string", description: text }]),
  );
  const inputSchema = { type: "object", properties, required: Object.keys(parameters).slice(0, 1) };
  return { id: name, name, description, inputSchema, server, original: { name, description, inputSchema } };
}

/** Twelve tools of a small shop: few enough to know by heart, with look-alikes on purpose. */
export const shopTools: readonly Tool[] = [
  tool("find_user_by_email", "Find a customer by e-mail address.", { email: "The customer's e-mail address" }, "shop"),
  tool("find_user_by_name", "Find a customer by first and last name.", { name: "Full name" }, "shop"),
  tool("list_orders", "List a customer's orders, newest first.", { user_id: "The customer" }, "shop"),
  tool("get_order", "Get one order with its items and state.", { order_id: "The order's number" }, "shop"),
  tool("cancel_order", "Cancel an order that was not shipped yet.", { order_id: "The order's number" }, "shop"),
  tool("refund_order", "Pay the price of an order back.", { order_id: "The order's number", reason: "Why" }, "shop"),
  tool("send_mail", "Send an e-mail to one address.", { to: "Address", subject: "Subject", body: "Text" }, "mail"),
  tool("search_mail", "Search received e-mails.", { query: "Words to look for" }, "mail"),
  tool("create_invoice", "Make an invoice for an order as PDF.", { order_id: "The order's number" }, "books"),
  tool(
    "convertCurrency",
    "Convert an amount from one currency to another.",
    { amount: "Amount", from: "From", to: "To" },
    "books",
  ),
  tool("track_parcel", "Say where a parcel is now.", { parcel_id: "The parcel's number" }, "post"),
  tool("print_label", "Print a shipping label for a parcel.", { parcel_id: "The parcel's number" }, "post"),
];

/** {@link shopTools} as a catalog. */
export const shopCatalog: Catalog = createCatalog(shopTools);
