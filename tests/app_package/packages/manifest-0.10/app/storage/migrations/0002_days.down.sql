alter table posts drop column day;
