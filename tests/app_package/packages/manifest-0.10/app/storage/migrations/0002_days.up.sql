alter table posts add column day text;
