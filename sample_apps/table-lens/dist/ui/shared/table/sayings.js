/** Everyday words for what columns of tables are often called, in both languages: who reads a table need not know its heads. Pure. */

const SAME = [
  ["region", "area", "territory", "district", "地区", "区域", "大区"],
  ["city", "town", "城市"],
  ["country", "国家"],
  ["customer", "client", "buyer", "客户", "顾客", "买家"],
  ["product", "item", "article", "产品", "商品", "货品"],
  ["category", "kind", "类别", "品类", "分类"],
  ["amount", "revenue", "sales", "turnover", "金额", "销售额", "营业额"],
  ["quantity", "units", "数量", "件数", "销量"],
  ["price", "unit price", "价格", "单价"],
  ["status", "state", "状态"],
  ["date", "day", "日期"],
  ["department", "team", "部门", "团队"],
  ["employee", "salesperson", "员工", "销售员"],
];

/** The other words for a column's name; none for one that is called in its own way. */
export const sayingsOf = (name) => SAME.filter((words) => words.includes(name)).flatMap((words) => words.filter((each) => each !== name));
